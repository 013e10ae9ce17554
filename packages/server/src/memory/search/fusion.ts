/**
 * Convex fusion: every signal is stretched to 0…1 over the candidates, and a candidate's score is the mean of its
 * signals. Ranks are not fused: that throws away how much better the best is, and came out worse than BM25 alone.
 */

/** One signal of each candidate; NaN where it has none (a memory without an embedding). */
export interface Signal {
  values: readonly number[];
  /** What means "nothing in common", where the signal knows; otherwise the lowest value among the candidates. */
  floor?: number;
}

export function fuse(signals: readonly Signal[]): number[] {
  const stretched = signals.map(stretch);
  const size = signals[0]?.values.length ?? 0;
  return Array.from({ length: size }, (_, candidate) => {
    const present = stretched.map((values) => values[candidate] ?? Number.NaN).filter((value) => !Number.isNaN(value));
    return present.length === 0 ? 0 : present.reduce((sum, value) => sum + value, 0) / present.length;
  });
}

function stretch({ values, floor }: Signal): number[] {
  const known = values.filter((value) => !Number.isNaN(value));
  const lowest = floor ?? known.reduce((low, value) => Math.min(low, value), Number.POSITIVE_INFINITY);
  const highest = known.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY);
  const range = highest - lowest;
  // Without a difference there is nothing to tell apart: all of them, or with a known floor none of them.
  if (!(range > 0)) return values.map((value) => (Number.isNaN(value) ? value : floor === undefined ? 1 : 0));
  return values.map((value) => (Number.isNaN(value) ? value : Math.max(0, (value - lowest) / range)));
}
