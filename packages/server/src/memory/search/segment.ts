import type { StoredMemoryKind } from '@kith/protocol';
import type { IndexedDocument } from './document.ts';

/**
 * Many memories, laid out for search: for each term the memories that hold it, side by side in flat arrays. Never
 * changed once it is made.
 */
export interface Segment {
  ids: readonly string[];
  kinds: readonly StoredMemoryKind[];
  positions: ReadonlyMap<string, number>;
  /** Per memory: tokens in the text, tokens in both. */
  lengths: Uint32Array;
  /** Where the postings of a term begin; they end where those of the next begin. */
  starts: Int32Array;
  postings: Int32Array;
  /** Per posting: times in the text, times in both. */
  counts: Uint16Array;
  signs: ReadonlyMap<string, SignTable>;
}

/** The sign bits of all memories of one embedding model. */
export interface SignTable {
  positions: Int32Array;
  bits: Uint8Array;
  /** Bytes per memory. */
  stride: number;
}

export const emptySegment: Segment = {
  ids: [],
  kinds: [],
  positions: new Map(),
  lengths: new Uint32Array(),
  starts: new Int32Array(1),
  postings: new Int32Array(),
  counts: new Uint16Array(),
  signs: new Map(),
};

/** A new segment of what an old one holds, less what was removed, and of further documents. */
export function mergeSegment(
  old: Segment,
  removed: ReadonlySet<number>,
  added: readonly IndexedDocument[],
  termCount: number,
): Segment {
  const { kept, moved } = survivors(old, removed);
  const size = kept.length + added.length;
  const ids = [...kept.map((position) => old.ids[position] ?? ''), ...added.map((document) => document.id)];
  const lengths = new Uint32Array(size * 2);
  for (const [position, from] of kept.entries()) {
    lengths[position * 2] = old.lengths[from * 2] ?? 0;
    lengths[position * 2 + 1] = old.lengths[from * 2 + 1] ?? 0;
  }
  for (const [offset, document] of added.entries()) lengths.set(document.lengths, (kept.length + offset) * 2);
  return {
    ids,
    kinds: [...kept.map((position) => old.kinds[position] ?? 'fact'), ...added.map((document) => document.kind)],
    positions: new Map(ids.map((id, position) => [id, position])),
    lengths,
    ...mergePostings(old, moved, added, kept.length, termCount),
    signs: mergeSigns(old, moved, added, kept.length),
  };
}

/** Which memories of the old segment stay, and where each of them goes (-1: nowhere). */
function survivors(old: Segment, removed: ReadonlySet<number>) {
  const kept: number[] = [];
  const moved = new Int32Array(old.ids.length).fill(-1);
  for (let position = 0; position < old.ids.length; position++) {
    if (removed.has(position)) continue;
    moved[position] = kept.length;
    kept.push(position);
  }
  return { kept, moved };
}

function mergePostings(
  old: Segment,
  moved: Int32Array,
  added: readonly IndexedDocument[],
  firstAdded: number,
  termCount: number,
) {
  // Counting sort: how many postings each term has, hence where each begins, then every posting to its place.
  const starts = new Int32Array(termCount + 1);
  const oldTerms = old.starts.length - 1;
  for (let term = 0; term < oldTerms; term++) {
    const end = old.starts[term + 1] ?? 0;
    for (let at = old.starts[term] ?? 0; at < end; at++) if (target(old, moved, at) >= 0) bump(starts, term + 1);
  }
  for (const { terms } of added) for (const term of terms) bump(starts, term + 1);
  for (let term = 1; term <= termCount; term++) starts[term] = (starts[term] ?? 0) + (starts[term - 1] ?? 0);

  const total = starts[termCount] ?? 0;
  const postings = new Int32Array(total);
  const counts = new Uint16Array(total * 2);
  const next = starts.slice(0, termCount);
  const place = (term: number, position: number, inText: number, inBoth: number) => {
    const at = next[term] ?? 0;
    next[term] = at + 1;
    postings[at] = position;
    counts[at * 2] = inText;
    counts[at * 2 + 1] = inBoth;
  };
  for (let term = 0; term < oldTerms; term++) {
    const end = old.starts[term + 1] ?? 0;
    for (let at = old.starts[term] ?? 0; at < end; at++) {
      const position = target(old, moved, at);
      if (position >= 0) place(term, position, old.counts[at * 2] ?? 0, old.counts[at * 2 + 1] ?? 0);
    }
  }
  for (const [offset, document] of added.entries()) {
    for (const [slot, term] of document.terms.entries()) {
      place(term, firstAdded + offset, document.counts[slot * 2] ?? 0, document.counts[slot * 2 + 1] ?? 0);
    }
  }
  return { starts, postings, counts };
}

const target = (old: Segment, moved: Int32Array, at: number): number => moved[old.postings[at] ?? 0] ?? -1;
const bump = (numbers: Int32Array, at: number): void => {
  numbers[at] = (numbers[at] ?? 0) + 1;
};

function mergeSigns(old: Segment, moved: Int32Array, added: readonly IndexedDocument[], firstAdded: number) {
  const rows = new Map<string, { position: number; bits: Uint8Array }[]>();
  const push = (space: string, position: number, bits: Uint8Array) => {
    const known = rows.get(space);
    if (known) known.push({ position, bits });
    else rows.set(space, [{ position, bits }]);
  };
  for (const [space, table] of old.signs) {
    for (const [row, from] of table.positions.entries()) {
      const position = moved[from] ?? -1;
      if (position >= 0) push(space, position, table.bits.subarray(row * table.stride, (row + 1) * table.stride));
    }
  }
  for (const [offset, { signs }] of added.entries()) if (signs) push(signs.space, firstAdded + offset, signs.bits);
  return new Map([...rows].map(([space, list]) => [space, signTable(list)]));
}

function signTable(rows: readonly { position: number; bits: Uint8Array }[]): SignTable {
  const stride = Math.max(...rows.slice(0, 1).map((row) => row.bits.length));
  const bits = new Uint8Array(rows.length * stride);
  for (const [index, row] of rows.entries()) bits.set(row.bits.subarray(0, stride), index * stride);
  return { positions: Int32Array.from(rows, (row) => row.position), bits, stride };
}
