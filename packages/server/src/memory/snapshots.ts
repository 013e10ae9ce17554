import type { StoredMemoryKind } from '@kith/protocol';
import type { Database, Sql, Transaction } from '../db/index.ts';
import type { DocumentSource } from './search/document.ts';
import { advance, bytesOf, emptySnapshot, type Snapshot } from './search/snapshot.ts';

/** Rows that are read at once: few enough that reading them does not hold up the event loop for long. */
const PAGE = 2000;
/** Of a user who is away, nothing is kept at hand. */
const IDLE_MS = 15 * 60_000;

export interface Snapshots {
  /** The user's memories as the database has them now, read through `sql`. */
  current(sql: Sql | Transaction, userId: string): Promise<Snapshot>;
  /** The same, unless more than one page of them would have to be read. */
  currentSoon(sql: Sql | Transaction, userId: string): Promise<Snapshot | undefined>;
  /** Something was forgotten: what is at hand, or about to be, goes too. */
  drop(userId: string): void;
  /** What is at hand, in bytes. */
  bytes(): number;
}

interface Held {
  snapshot: Snapshot;
  bytes: number;
  usedAt: number;
}

/**
 * Keeps snapshots of the users who were here last, up to a number of bytes. Each search asks the database for what was
 * written since (one short query when nothing was), so it sees every commit of every process.
 */
export function createSnapshots(database: Database, options: { maxBytes: number; now?: () => number }): Snapshots {
  const now = options.now ?? Date.now;
  const held = new Map<string, Held>();
  const loading = new Map<string, Promise<unknown>>();
  let total = 0;
  let drops = 0;

  const release = (userId: string) => {
    total -= held.get(userId)?.bytes ?? 0;
    held.delete(userId);
  };
  const keep = (userId: string, snapshot: Snapshot) => {
    const known = held.get(userId)?.snapshot;
    // Two searches may have read at the same time; the later version stays.
    const isOlder = known && known.epoch === snapshot.epoch && known.version > snapshot.version;
    const latest = isOlder ? known : snapshot;
    const bytes = latest === known ? (held.get(userId)?.bytes ?? 0) : bytesOf(latest);
    release(userId);
    held.set(userId, { snapshot: latest, bytes, usedAt: now() });
    total += bytes;
    for (const [oldest, { usedAt }] of held) {
      if (total <= options.maxBytes && now() - usedAt < IDLE_MS) break;
      release(oldest);
    }
  };

  const bringUp = async (sql: Sql | Transaction, userId: string, pages: number): Promise<Snapshot | undefined> => {
    const dropsBefore = drops;
    const reading = read(sql, userId, held.get(userId)?.snapshot, pages);
    if (!held.has(userId)) loading.set(userId, reading);
    try {
      const { snapshot, isCommitted } = (await reading) ?? {};
      if (snapshot && isCommitted && drops === dropsBefore) keep(userId, snapshot);
      return snapshot;
    } finally {
      if (loading.get(userId) === reading) loading.delete(userId);
    }
  };

  return {
    drop: (userId) => {
      drops++;
      release(userId);
    },
    bytes: () => total,
    current: async (sql, userId) => {
      // The first search of a user reads everything; others that come meanwhile wait, and then read only the rest. Not so
      // inside a transaction: the one that reads may be waiting for just that transaction to end.
      if (sql === database.sql) await loading.get(userId)?.catch(() => {});
      return (await bringUp(sql, userId, Number.POSITIVE_INFINITY)) ?? emptySnapshot('');
    },
    currentSoon: (sql, userId) => bringUp(sql, userId, 1),
  };
}

interface LogRow {
  version: number;
  epoch: string;
  is_own: boolean;
  revision: number;
  id: string | null;
  kind: StoredMemoryKind;
  is_live: boolean;
  terms: string;
  context_terms: string;
  embedding_model: string | null;
  signs: Uint8Array | null;
}

interface Reading {
  snapshot: Snapshot;
  /** Whether others see the same: what a transaction wrote itself may be rolled back, and is not kept for them. */
  isCommitted: boolean;
}

/** Brings a snapshot up to date by reading the user's rows in the order in which they were written. */
async function read(
  sql: Sql | Transaction,
  userId: string,
  known: Snapshot | undefined,
  pages: number,
): Promise<Reading | undefined> {
  // By id: a row that is written again while its user's rows are read comes twice, and the later one counts.
  const changes = new Map<string, DocumentSource | undefined>();
  let after = { revision: known?.version ?? 0, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };
  let epoch = known?.epoch;
  for (let page = 0; page < pages; page++) {
    const rows = await readPage(sql, userId, after);
    const [first] = rows;
    // Nothing was ever remembered, or everything was forgotten.
    if (!first) return { snapshot: emptySnapshot(''), isCommitted: false };
    if (epoch !== undefined && first.epoch !== epoch) return read(sql, userId, undefined, pages);
    epoch = first.epoch;
    for (const row of rows) {
      if (row.id === null) continue;
      changes.set(row.id, row.is_live ? sourceOf(row, row.id) : undefined);
      after = { revision: row.revision, id: row.id };
    }
    if (rows.length < PAGE) {
      const before = known ?? emptySnapshot(first.epoch);
      const isSame = before.version === first.version;
      const snapshot = isSame ? before : advance(before, changes, first.version);
      return { snapshot, isCommitted: !first.is_own };
    }
  }
  return undefined;
}

// The version and the rows come from one statement, hence from one moment: nothing up to that version is missing.
// `is_own`: the version was written by this very transaction. Numbers of transactions rise, those of its savepoints too;
// a younger one of somebody else's that was committed meanwhile only looks like it, and costs one more reading.
const readPage = (sql: Sql | Transaction, userId: string, after: { revision: number; id: string }) =>
  sql<LogRow[]>`
    select owner.version, owner.epoch, memory.*,
      coalesce(owner.xmin::text::bigint >= pg_current_xact_id_if_assigned()::text::bigint % 4294967296, false) as is_own
    from memory_versions owner
    left join lateral (
      select revision, id, kind, valid_to is null as is_live, embedding_model, signs, terms, context_terms
      from memories
      where user_id = owner.user_id and (revision, id) > (${after.revision}, ${after.id}::uuid)
      order by revision, id
      limit ${PAGE}
    ) memory on true
    where owner.user_id = ${userId}`;

const sourceOf = (row: LogRow, id: string): DocumentSource => ({
  id,
  kind: row.kind,
  terms: wordsOf(row.terms),
  contextTerms: wordsOf(row.context_terms),
  signs: row.signs && row.embedding_model ? { space: row.embedding_model, bits: row.signs } : undefined,
});
const wordsOf = (joined: string): string[] => (joined === '' ? [] : joined.split(' '));
