import type { FoundMemory, RecalledMemory, StoredMemoryKind } from '@kith/protocol';
import type { Config } from '../config/index.ts';
import type { Database, Sql, Transaction } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import type { ModelCallRow, Models } from '../models/index.ts';
import type { Log } from '../observability/index.ts';
import { inProcessCosines } from './cosines/in-process.ts';
import { pgvectorCosines } from './cosines/pgvector.ts';
import { chooseEmbedder } from './embedders/choose.ts';
import type { EmbeddingRequest } from './embedders/embedder.ts';
import { createEmbeddings } from './embeddings.ts';
import { findHits, type Hit } from './find.ts';
import { forgetEverything, forgetMemory } from './forgetting.ts';
import { isMemoryId, keepStatements, keepVerbatim } from './ledger.ts';
import type { Memory } from './port.ts';
import { decayed, fillBudget } from './relevance.ts';
import { type Snapshot, sizeOf } from './search/snapshot.ts';
import { columns, exportMemories, findMemory, listMemories, memoriesById, type StoredRow, toStored } from './shelf.ts';
import { createSnapshots } from './snapshots.ts';
import { cut } from './text.ts';

/** A longer question is a document; how it begins says what it is about. */
const LONGEST_QUERY = 2000;
/** Indexes of the users who were here last, all together. */
const INDEX_BYTES = 256 * 1024 * 1024;
/** Matches per place in the prompt: decay and budget choose among them. */
const CANDIDATES = 3;
/** Preferences and work profile that are considered whatever the question is. */
const STANDING = 6;

export interface MemoryOptions {
  config: Config['memory'];
  database: Database;
  models: Models;
  log: Log;
  now?: () => Date;
  indexBytes?: number;
}

type Asking = EmbeddingRequest & { query: string; kind?: StoredMemoryKind | undefined };

export function createMemory(options: MemoryOptions): Memory {
  const { config, database, models, log } = options;
  const now = options.now ?? (() => new Date());
  const snapshots = createSnapshots(database, {
    maxBytes: options.indexBytes ?? INDEX_BYTES,
    now: () => now().getTime(),
  });
  const embedders = chooseEmbedder(config.embeddings, models, log);
  const embeddings = createEmbeddings(database, snapshots, log);
  const cosines = database.vector ? pgvectorCosines : inProcessCosines;
  if (!database.vector) log.info('pgvector is not installed: memory compares vectors in this process');

  const find = async (
    sql: Sql | Transaction,
    snapshot: Snapshot,
    { query: asked, kind, ...request }: Asking,
    limit: number,
  ): Promise<{ hits: Hit[]; bookings: ModelCallRow[] }> => {
    const query = cut(asked, LONGEST_QUERY);
    if (sizeOf(snapshot) === 0 || query.trim() === '') return { hits: [], bookings: [] };
    const embedder = embedders.current();
    const { vector, bookings } = embedder
      ? await embeddings.embedQuery(embedder, snapshot, query, request, sql === database.sql)
      : { vector: undefined, bookings: [] };
    const hits = await findHits(sql, snapshot, cosines, { userId: request.userId, query, vector, kind, limit });
    return { hits, bookings };
  };

  const chooseForPrompt = async (sql: Sql | Transaction, userId: string, hits: readonly Hit[]) =>
    forPrompt(await hitsAndStanding(sql, userId, hits), hits, config, now());

  const inTransaction = async <T>(given: Transaction | undefined, work: (sql: Transaction) => Promise<T>) =>
    given ? work(given) : ((await database.sql.begin(work)) as T);

  return {
    recall: async (request) => {
      if (!config.enabled) return { memories: [], bookings: [] };
      const snapshot = await snapshots.current(database.sql, request.userId);
      const { hits, bookings } = await find(database.sql, snapshot, request, config.recall * CANDIDATES);
      return { memories: await chooseForPrompt(database.sql, request.userId, hits), bookings };
    },
    recallWithin: async (sql, { userId, query }) => {
      if (!config.enabled) return [];
      if (embedders.current()) return undefined;
      const snapshot = await snapshots.currentSoon(sql, userId);
      if (!snapshot) return undefined;
      const { hits } = await find(sql, snapshot, { userId, query }, config.recall * CANDIDATES);
      return chooseForPrompt(sql, userId, hits);
    },
    search: async ({ sql = database.sql, limit = 10, ...request }) => {
      const snapshot = await snapshots.current(sql, request.userId);
      const { hits, bookings } = await find(sql, snapshot, request, limit);
      return { memories: await found(sql, request.userId, hits), bookings };
    },

    learn: async (sql, userId, update, source) => {
      const kept = await keepStatements(sql, userId, update.memories, source);
      return [...new Set(kept.filter(({ isNew }) => isNew).map(({ id }) => id))];
    },
    keepTurn: async (sql, userId, { recalled, ...turn }, source) => {
      await keepVerbatim(sql, userId, turn, source);
      await markUsed(sql, userId, recalled);
    },

    list: (userId, query) => listMemories(database.sql, userId, query),
    get: (userId, memoryId) => findMemory(database.sql, userId, memoryId),
    export: (userId) => exportMemories(database.sql, userId),
    add: (userId, input) =>
      inTransaction(undefined, async (sql) => {
        const [kept] = await keepStatements(sql, userId, [input], { by: 'user' });
        if (!kept) throw errors.REQUEST_INVALID({ fields: [{ field: 'content', message: 'expected some text' }] });
        return { memory: await findMemory(sql, userId, kept.id), isNew: kept.isNew };
      }),
    correct: (userId, memoryId, { kind, content }) =>
      inTransaction(undefined, async (sql) => {
        const old = await findMemory(sql, userId, memoryId);
        if (old.kind === 'turn') throw errors.MEMORY_VERBATIM({ memoryId });
        if (old.valid_to !== null) throw errors.MEMORY_SUPERSEDED({ memoryId, supersededBy: old.superseded_by });
        const statement = { kind: kind ?? old.kind, content: content ?? old.content, supersedes: memoryId };
        const [kept] = await keepStatements(sql, userId, [statement], { by: 'user' });
        return findMemory(sql, userId, kept?.id ?? memoryId);
      }),
    forget: async (userId, memoryId, given) => {
      const gone = isMemoryId(memoryId) ? await inTransaction(given, (sql) => forgetMemory(sql, userId, memoryId)) : [];
      snapshots.drop(userId);
      if (gone.length === 0) throw errors.MEMORY_NOT_FOUND({ memoryId });
      return gone;
    },
    forgetAll: async (userId, given) => {
      const count = await inTransaction(given, (sql) => forgetEverything(sql, userId));
      snapshots.drop(userId);
      return count;
    },

    close: async () => {
      await embeddings.stop();
      await embedders.close();
    },
  };
}

async function found(sql: Sql | Transaction, userId: string, hits: readonly Hit[]): Promise<FoundMemory[]> {
  if (hits.length === 0) return [];
  const rows = await sql<StoredRow[]>`
    select ${columns(sql)} from ${memoriesById(sql, sql`select unnest(${hits.map(({ id }) => id)}::uuid[]) as id`)}
    where user_id = ${userId} and valid_to is null`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return hits.flatMap(({ id, score }) => {
    const row = byId.get(id);
    return row ? [{ ...toStored(row), score: rounded(score) }] : [];
  });
}

function hitsAndStanding(sql: Sql | Transaction, userId: string, hits: readonly Hit[]): Promise<StoredRow[]> {
  const wanted = sql`
    select unnest(${hits.map(({ id }) => id)}::uuid[]) as id
    union
    (select id from memories
    where user_id = ${userId} and valid_to is null and kind in ('preference', 'work_profile')
    order by coalesce(last_used_at, valid_from) desc, id
    limit ${STANDING})`;
  return sql<StoredRow[]>`
    select ${columns(sql)} from ${memoriesById(sql, wanted)} where user_id = ${userId} and valid_to is null`;
}

/** Matches by their decayed score; what stands whatever is asked scores nothing, newest first. */
function forPrompt(rows: readonly StoredRow[], hits: readonly Hit[], config: Config['memory'], now: Date) {
  const scores = new Map(hits.map(({ id, score }) => [id, score]));
  const ranked = rows
    .map(toStored)
    .map((memory) => ({ memory, score: decayed(scores.get(memory.id) ?? 0, memory, now) }))
    .sort((a, b) => b.score - a.score || b.memory.valid_from.localeCompare(a.memory.valid_from))
    .map(({ memory: { id, kind, content }, score }): RecalledMemory => ({ id, kind, content, score: rounded(score) }));
  const budget = { characters: config.promptBudget, count: config.recall };
  return fillBudget(
    ranked.filter(({ id }) => scores.has(id)),
    ranked.filter(({ id }) => !scores.has(id)),
    budget,
  );
}

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000;

async function markUsed(sql: Transaction, userId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update memories set uses = uses + 1, last_used_at = now()
    where id = any(array(
      select memory.id from ${memoriesById(sql, sql`select unnest(${[...ids]}::uuid[]) as id`)} where user_id = ${userId}))`;
}
