import type { Database } from '../db/index.ts';
import type { ModelCallRow } from '../models/index.ts';
import type { Log } from '../observability/index.ts';
import type { Embedder, EmbeddingRequest } from './embedders/embedder.ts';
import { raiseVersion } from './ledger.ts';
import { signsOf } from './search/signs.ts';
import { idAt, isLive, type Snapshot, sizeOf } from './search/snapshot.ts';
import { cut } from './text.ts';

/** What a model reads of a text at most; embeddings of long texts say little anyway. */
const LONGEST_TEXT = 2000;
/** Memories without a vector that are given one along with a query: small enough for one call to any vendor. */
const MEMORIES_PER_CALL = 4;

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
export function createEmbeddings(database: Database, log: Log) {
  const background = new Map<string, Promise<void>>();

  const embedQuery = async (
    embedder: Embedder,
    snapshot: Snapshot,
    query: string,
    request: EmbeddingRequest,
    mayWrite: boolean,
  ): Promise<EmbeddedQuery> => {
    const space = embedder.spaceOf(query);
    const together = embedder.isBooked && mayWrite ? await pendingOf(database, embedder, snapshot, request.userId) : [];
    const texts = [cut(query, LONGEST_TEXT), ...together.flatMap(textsOf)];
    const { vectors, bookings } = await embedder.embed(space, texts, request);
    const [values, ...rest] = vectors ?? [];
    if (rest.length > 0) await storeVectors(database, request.userId, space, together, rest);
    if (!embedder.isBooked && mayWrite) startBackground(embedder, snapshot, request.userId);
    return { vector: values ? { space, values } : undefined, bookings };
  };

  const startBackground = (embedder: Embedder, snapshot: Snapshot, userId: string) => {
    if (background.has(userId)) return;
    const work = embedPending(database, embedder, snapshot, userId)
      .catch((error) => log.warn({ err: error }, 'embeddings of memories are put off'))
      .finally(() => background.delete(userId));
    background.set(userId, work);
  };

  return {
    embedQuery,
    /** When nothing is being embedded any more. */
    settled: async (): Promise<void> => {
      await Promise.all(background.values());
    },
  };
}

async function embedPending(database: Database, embedder: Embedder, snapshot: Snapshot, userId: string): Promise<void> {
  const pending = await pendingOf(database, embedder, snapshot, userId);
  for (const space of embedder.spaces) {
    const mine = pending.filter((memory) => embedder.spaceOf(memory.content) === space);
    if (mine.length === 0) continue;
    const { vectors } = await embedder.embed(space, mine.flatMap(textsOf), { userId });
    if (vectors) await storeVectors(database, userId, space, mine, vectors);
  }
}

/** The newest memories that have no vector of a model in use. */
async function pendingOf(
  { sql }: Database,
  embedder: Embedder,
  snapshot: Snapshot,
  userId: string,
): Promise<Pending[]> {
  const { base, tail } = snapshot;
  const isEmbedded = new Uint8Array(sizeOf(snapshot));
  for (const space of embedder.spaces) for (const at of base.signs.get(space)?.positions ?? []) isEmbedded[at] = 1;
  for (const [offset, { signs }] of tail.entries()) {
    if (signs && embedder.spaces.includes(signs.space)) isEmbedded[base.ids.length + offset] = 1;
  }
  const ids: string[] = [];
  for (let at = isEmbedded.length - 1; at >= 0 && ids.length < MEMORIES_PER_CALL; at--) {
    if (isEmbedded[at] !== 1 && isLive(snapshot, at)) ids.push(idAt(snapshot, at));
  }
  if (ids.length === 0) return [];
  return sql<Pending[]>`
    select id, content, context from memories where user_id = ${userId} and id = any(${ids}::uuid[])`;
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
