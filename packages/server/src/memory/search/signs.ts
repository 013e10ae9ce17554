import { type Snapshot, sizeOf } from './snapshot.ts';

/**
 * Vectors stay in the database; a process keeps one bit per dimension, its sign. That is too coarse to rank by, and good
 * enough to tell which few hundred of many vectors are worth comparing exactly.
 */
export function signsOf(vector: Float32Array, both: Float32Array): Uint8Array {
  const width = widthOf(vector.length);
  const bits = new Uint8Array(width * 2);
  for (const [half, values] of [vector, both].entries()) {
    for (const [dimension, value] of values.entries()) {
      if (value > 0) {
        const at = half * width + (dimension >> 3);
        bits[at] = (bits[at] ?? 0) | (1 << (dimension & 7));
      }
    }
  }
  return bits;
}

const widthOf = (dimensions: number): number => (dimensions + 7) >> 3;

/** How well the signs of every position agree with a query, weighted by the query's own values. NaN: no vector there. */
export interface SignScores {
  text: Float64Array;
  both: Float64Array;
}

export function signScores(snapshot: Snapshot, space: string, query: Float32Array): SignScores {
  const { base, tail, removed } = snapshot;
  const size = sizeOf(snapshot);
  const scores = { text: new Float64Array(size).fill(Number.NaN), both: new Float64Array(size).fill(Number.NaN) };
  const width = widthOf(query.length);
  const lookup = lookupOf(query);
  const table = base.signs.get(space);
  if (table?.stride === width * 2) {
    for (let row = 0; row < table.positions.length; row++) {
      addAgreement(scores, table.positions[row] ?? 0, lookup, table.bits, row * table.stride);
    }
  }
  for (const [offset, { signs }] of tail.entries()) {
    if (signs?.space !== space || signs.bits.length !== width * 2) continue;
    addAgreement(scores, base.ids.length + offset, lookup, signs.bits, 0);
  }
  for (const position of removed) {
    scores.text[position] = Number.NaN;
    scores.both[position] = Number.NaN;
  }
  return scores;
}

/** For each byte of a code and each value it may have, what it adds: eight dimensions in one look. */
function lookupOf(query: Float32Array): Float32Array {
  const width = widthOf(query.length);
  const lookup = new Float32Array(width * 256);
  for (let byte = 0; byte < width; byte++) {
    for (let value = 0; value < 256; value++) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit++) {
        const weight = query[byte * 8 + bit] ?? 0;
        sum += value & (1 << bit) ? weight : -weight;
      }
      lookup[byte * 256 + value] = sum;
    }
  }
  return lookup;
}

/** Both halves of a code in one go: the two sums do not wait for each other. */
function addAgreement(
  scores: SignScores,
  position: number,
  lookup: Float32Array,
  bits: Uint8Array,
  start: number,
): void {
  const width = lookup.length >> 8;
  let text = 0;
  let both = 0;
  for (let byte = 0; byte < width; byte++) {
    text += lookup[(byte << 8) + (bits[start + byte] ?? 0)] ?? 0;
    both += lookup[(byte << 8) + (bits[start + width + byte] ?? 0)] ?? 0;
  }
  scores.text[position] = text;
  scores.both[position] = both;
}
