import type { Database } from '../db/index.ts';
import type { ModelCallRow } from '../models/index.ts';
import type { Log } from '../observability/index.ts';
import type { Embedder, EmbeddingRequest } from './embedders/embedder.ts';
import { raiseVersion } from './ledger.ts';
import { signsOf } from './search/signs.ts';
import { type Snapshot, unembedded } from './search/snapshot.ts';
import { memoriesById } from './shelf.ts';
import type { Snapshots } from './snapshots.ts';
import { cut } from './text.ts';

/** What a model reads of a text at most; embeddings of long texts say little anyway. */
const LONGEST_TEXT = 2000;
/** Memories without a vector that are given one along with a query: small enough for one call to any vendor. */
const MEMORIES_PER_CALL = 4;
/** Calls in a row, where they cost nothing but time: the rest waits for the next search. */
const CALLS_IN_BACKGROUND = 16;

interface Pending {
  id: string;
  content: string;
  context: string;
}

interface EmbeddedQuery {
  vector: { space: string; values: Float32Array } | undefined;
  bookings: ModelCallRow[];
}

/**
 * Makes vectors, of queries at once and of memories when their user next searches: writing a memory is part of a run's
 * transaction, and no model is called inside one. The newest come first; a change of model works its way back.
 */
export function createEmbeddings(database: Database, snapshots: Snapshots, log: Log) {
  const background = new Map<string, Promise<void>>();
  let isStopping = false;

  const embedQuery = async (
    embedder: Embedder,
    snapshot: Snapshot,
    query: string,
    request: EmbeddingRequest,
    mayWrite: boolean,
  ): Promise<EmbeddedQuery> => {
    const space = embedder.spaceOf(query);
    const pending = mayWrite ? unembedded(snapshot, embedder.spaces, MEMORIES_PER_CALL) : [];
    const together = embedder.isBooked ? await textsToEmbed(database, request.userId, pending) : [];
    const texts = [cut(query, LONGEST_TEXT), ...together.flatMap(textsOf)];
    const { vectors, bookings } = await embedder.embed(space, texts, request);
    const [values, ...rest] = vectors ?? [];
    if (rest.length > 0) await storeVectors(database, request.userId, space, together, rest);
    if (!embedder.isBooked && pending.length > 0) startBackground(embedder, request.userId);
    return { vector: values ? { space, values } : undefined, bookings };
  };

  const startBackground = (embedder: Embedder, userId: string) => {
    if (background.has(userId) || isStopping) return;
    const work = embedRest(embedder, userId)
      .catch((error) => log.warn({ err: error }, 'embeddings of memories are put off'))
      .finally(() => background.delete(userId));
    background.set(userId, work);
  };

  const embedRest = async (embedder: Embedder, userId: string): Promise<void> => {
    for (let call = 0; call < CALLS_IN_BACKGROUND && !isStopping; call++) {
      const snapshot = await snapshots.current(database.sql, userId);
      const ids = unembedded(snapshot, embedder.spaces, MEMORIES_PER_CALL);
      const pending = await textsToEmbed(database, userId, ids);
      const [first] = pending;
      if (!first) return;
      const space = embedder.spaceOf(first.content);
      const mine = pending.filter((memory) => embedder.spaceOf(memory.content) === space);
      const { vectors } = await embedder.embed(space, mine.flatMap(textsOf), { userId });
      if (!vectors) return;
      await storeVectors(database, userId, space, mine, vectors);
    }
  };

  return {
    embedQuery,
    /** Ends what is going on in the background, soon. */
    stop: async (): Promise<void> => {
      isStopping = true;
      await Promise.all(background.values());
    },
  };
}

async function textsToEmbed({ sql }: Database, userId: string, ids: string[]): Promise<Pending[]> {
  if (ids.length === 0) return [];
  return sql<Pending[]>`
    select memory.id, content, context from ${memoriesById(sql, sql`select unnest(${ids}::uuid[]) as id`)}
    where user_id = ${userId}`;
}

/** One text for a statement, two for a turn that has another before it. */
const textsOf = ({ content, context }: Pending): string[] =>
  context === ''
    ? [cut(content, LONGEST_TEXT)]
    : [cut(content, LONGEST_TEXT), cut(`${cut(context, LONGEST_TEXT / 2)}\n${content}`, LONGEST_TEXT)];

async function storeVectors(
  { sql }: Database,
  userId: string,
  space: string,
  memories: readonly Pending[],
  vectors: readonly Float32Array[],
): Promise<void> {
  const queue = [...vectors];
  const rows = memories.flatMap((memory) => {
    const text = queue.shift();
    const both = memory.context === '' ? text : queue.shift();
    if (!text || !both || text.length !== both.length) return [];
    return [
      {
        id: memory.id,
        context: memory.context,
        embedding: [...text],
        context_embedding: memory.context === '' ? null : [...both],
        signs: Buffer.from(signsOf(text, both)).toString('hex'),
      },
    ];
  });
  await sql.begin(async (transaction) => {
    const revision = await raiseVersion(transaction, userId);
    // A memory that was forgotten meanwhile is not there; one whose context was, no longer has that context.
    await transaction`
      with ready as (
        select * from jsonb_to_recordset(${transaction.json(rows)}) as row (
          id uuid, context text, embedding real[], context_embedding real[], signs text)
      ), marked as (
        update memories set embedding_model = ${space}, signs = decode(ready.signs, 'hex'), revision = ${revision}
        from ready
        where memories.user_id = ${userId} and memories.id = ready.id and memories.context = ready.context
        returning memories.id
      )
      insert into memory_vectors (memory_id, user_id, model, embedding, context_embedding)
      select id, ${userId}, ${space}, embedding, context_embedding from ready join marked using (id)
      on conflict (memory_id) do update
      set model = excluded.model, embedding = excluded.embedding, context_embedding = excluded.context_embedding`;
  });
}
