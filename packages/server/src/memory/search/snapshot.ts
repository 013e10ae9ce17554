import type { StoredMemoryKind } from '@kith/protocol';
import { type Dictionary, type DocumentSource, documentMaker, type IndexedDocument } from './document.ts';
import { emptySegment, mergeSegment, type Segment } from './segment.ts';

/**
 * One user's memories at one version. A newer version is a new snapshot that shares what did not change, so whoever
 * searches an older one is not disturbed. Positions count through the base first and through the tail after it.
 */
export interface Snapshot {
  version: number;
  epoch: string;
  /** Shared by the snapshots of an epoch, and only ever added to. */
  dictionary: Dictionary;
  base: Segment;
  /** Of the base: superseded, or written anew. */
  removed: ReadonlySet<number>;
  /** What came after the base was made: short enough to be looked through one by one. */
  tail: readonly IndexedDocument[];
}

/** What became of memories, by id: their new form, or undefined for what no longer holds. */
export type Changes = ReadonlyMap<string, DocumentSource | undefined>;

export const emptySnapshot = (epoch: string): Snapshot => ({
  version: 0,
  epoch,
  dictionary: new Map(),
  base: emptySegment,
  removed: new Set(),
  tail: [],
});

export function advance(snapshot: Snapshot, changes: Changes, version: number): Snapshot {
  const { dictionary, base } = snapshot;
  const removed = new Set(snapshot.removed);
  for (const id of changes.keys()) {
    const position = base.positions.get(id);
    if (position !== undefined) removed.add(position);
  }
  const tail = snapshot.tail.filter((document) => !changes.has(document.id));
  const make = documentMaker(dictionary);
  for (const source of changes.values()) if (source) tail.push(make(source));
  if (tail.length + removed.size <= tailLimit(base)) return { ...snapshot, version, removed, tail };
  return {
    ...snapshot,
    version,
    base: mergeSegment(base, removed, tail, dictionary.size),
    removed: new Set(),
    tail: [],
  };
}

/** The larger the base, the rarer its making: a merge costs as much as the whole base. */
const tailLimit = (base: Segment): number => Math.max(256, base.ids.length >> 4);

export const sizeOf = (snapshot: Snapshot): number => snapshot.base.ids.length + snapshot.tail.length;

/** The newest memories that have no vectors of these models. */
export function unembedded(snapshot: Snapshot, spaces: readonly string[], count: number): string[] {
  const { base, tail } = snapshot;
  const isEmbedded = new Uint8Array(sizeOf(snapshot));
  for (const space of spaces) for (const at of base.signs.get(space)?.positions ?? []) isEmbedded[at] = 1;
  for (const [offset, { signs }] of tail.entries()) {
    if (signs && spaces.includes(signs.space)) isEmbedded[base.ids.length + offset] = 1;
  }
  const ids: string[] = [];
  for (let at = isEmbedded.length - 1; at >= 0 && ids.length < count; at--) {
    if (isEmbedded[at] !== 1 && isLive(snapshot, at)) ids.push(idAt(snapshot, at));
  }
  return ids;
}

export function isLive(snapshot: Snapshot, position: number): boolean {
  return !snapshot.removed.has(position);
}

export function idAt({ base, tail }: Snapshot, position: number): string {
  return base.ids[position] ?? tail[position - base.ids.length]?.id ?? '';
}

export function kindAt({ base, tail }: Snapshot, position: number): StoredMemoryKind | undefined {
  return base.kinds[position] ?? tail[position - base.ids.length]?.kind;
}

/** What a snapshot holds in memory, roughly: flat arrays as they are, objects by rule of thumb. */
export function bytesOf({ base, tail, dictionary }: Snapshot): number {
  const flat = [base.lengths, base.starts, base.postings, base.counts].reduce(
    (sum, array) => sum + array.byteLength,
    0,
  );
  const signs = [...base.signs.values()].reduce(
    (sum, table) => sum + table.bits.byteLength + table.positions.byteLength,
    0,
  );
  const documents = tail.reduce((sum, { terms, counts }) => sum + terms.byteLength + counts.byteLength + 400, 0);
  return flat + signs + documents + base.ids.length * 160 + dictionary.size * 80;
}
