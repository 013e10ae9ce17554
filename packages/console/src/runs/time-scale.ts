interface Span {
  from: number;
  to: number;
}

export interface TimeScale {
  /** Where an instant stands, from 0 to 1. */
  position(instant: number): number;
  /** Stretches in which nothing happened, drawn narrow. */
  gaps: readonly (Span & { at: number; width: number })[];
}

const GAP_MS = 1500;
const GAP_SHARE = 0.03;

/** A scale of time on which idle stretches are short: an hour's wait for an approval does not hide a second's work. */
export function timeScale(spans: readonly Span[]): TimeScale {
  const stretches = stretchesOf(merge(spans));
  const active = stretches.filter(({ isGap }) => !isGap).reduce((sum, { from, to }) => sum + to - from, 0);
  const gapWeight = Math.max(1, active) * GAP_SHARE;
  const weighted = stretches.map((stretch) => ({
    ...stretch,
    weight: stretch.isGap ? gapWeight : stretch.to - stretch.from,
  }));
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0) || 1;
  let at = 0;
  const placed = weighted.map((stretch) => {
    const width = stretch.weight / total;
    const start = at;
    at += width;
    return { ...stretch, at: start, width };
  });
  return {
    gaps: placed.filter(({ isGap }) => isGap),
    position(instant) {
      const stretch = placed.findLast(({ from }) => from <= instant) ?? placed[0];
      if (!stretch) return 0;
      const share = stretch.to > stretch.from ? (instant - stretch.from) / (stretch.to - stretch.from) : 0;
      return stretch.at + Math.min(1, Math.max(0, share)) * stretch.width;
    },
  };
}

function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { from, to } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last && from - last.to < GAP_MS) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

function stretchesOf(busy: readonly Span[]): (Span & { isGap: boolean })[] {
  return busy.flatMap((span, index) => {
    const before = busy[index - 1];
    const own = { ...span, isGap: false };
    return before ? [{ from: before.to, to: span.from, isGap: true }, own] : [own];
  });
}
