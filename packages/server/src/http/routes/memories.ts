import { Readable } from 'node:stream';
import { MemoryCorrection, MemoryExport, MemoryInput, MemoryPage, MemoryQuery, StoredMemory } from '@kith/protocol';
import { z } from 'zod';
import type { Database } from '../../db/index.ts';
import type { Memory } from '../../memory/index.ts';
import { bookModelCalls } from '../../models/index.ts';
import type { App, Routes } from '../app.ts';

export interface MemoryServices {
  memory: Memory;
  database: Pick<Database, 'sql'>;
}

const tags = ['memories'];
const base = '/api/v1/memories';
const one = `${base}/:memory_id`;
const params = z.strictObject({ memory_id: z.string().max(100) });
/** What the stream holds; its type is left open, because what the route sends is text already. */
const ExportFile: z.ZodType = MemoryExport;
const Forgotten = z.object({ forgotten: z.int().nonnegative() });

/** What is remembered of the caller: read, searched, corrected, forgotten, taken away. */
export function memoryRoutes(services: MemoryServices): Routes {
  return async (app) => {
    collection(app, services);
    wholeShelf(app, services);
    resource(app, services);
  };
}

function collection(app: App, services: MemoryServices): void {
  app.get(
    base,
    {
      schema: {
        tags,
        summary: 'Memories, newest first; with `q` the best matches',
        querystring: MemoryQuery,
        response: { 200: MemoryPage },
      },
    },
    ({ caller, query }) =>
      query.q ? search(services, caller.userId, query) : services.memory.list(caller.userId, query),
  );
  app.post(
    base,
    {
      schema: {
        tags,
        summary: 'Remember something; 200 if it was known already',
        body: MemoryInput,
        response: { 200: StoredMemory, 201: StoredMemory },
      },
    },
    async ({ caller, body }, reply) => {
      const { memory, isNew } = await services.memory.add(caller.userId, body);
      return reply.status(isNew ? 201 : 200).send(memory);
    },
  );
}

/** A search may have asked an embedding model, which is a call like any other: it is booked. */
async function search({ memory, database }: MemoryServices, userId: string, { q = '', kind, limit }: MemoryQuery) {
  const { memories, bookings } = await memory.search({ userId, query: q, kind, limit });
  await bookModelCalls(database.sql, bookings);
  return { memories, next_cursor: null };
}

function wholeShelf(app: App, { memory }: MemoryServices): void {
  app.get(
    `${base}/export`,
    {
      schema: {
        tags,
        summary: 'Everything, superseded memories included, as a file to keep',
        produces: ['application/json'],
        response: { 200: ExportFile },
      },
    },
    async ({ caller }, reply) =>
      reply
        .type('application/json')
        .header('content-disposition', 'attachment; filename="memories.json"')
        .send(Readable.from(exportText(caller.userId, memory.export(caller.userId)))),
  );
  app.delete(
    base,
    { schema: { tags, summary: 'Forget everything', response: { 200: Forgotten } } },
    async ({ caller }) => ({ forgotten: await memory.forgetAll(caller.userId) }),
  );
}

/** A MemoryExport, written as it is read: very many memories never stand in the server's memory all at once. */
async function* exportText(userId: string, memories: AsyncIterable<StoredMemory>): AsyncGenerator<string> {
  yield `{"user_id":${JSON.stringify(userId)},"exported_at":"${new Date().toISOString()}","memories":[`;
  let separator = '';
  for await (const memory of memories) {
    yield separator + JSON.stringify(memory);
    separator = ',';
  }
  yield ']}';
}

function resource(app: App, { memory }: MemoryServices): void {
  app.get(
    one,
    { schema: { tags, summary: 'A memory', params, response: { 200: StoredMemory } } },
    ({ caller, params }) => memory.get(caller.userId, params.memory_id),
  );
  app.patch(
    one,
    {
      schema: {
        tags,
        summary: 'What is true instead: a new memory in the place of this one',
        params,
        body: MemoryCorrection,
        response: { 200: StoredMemory },
      },
    },
    ({ caller, params, body }) => memory.correct(caller.userId, params.memory_id, body),
  );
  app.delete(
    one,
    {
      schema: {
        tags,
        summary: 'Forget a memory, what it superseded, and the turns it was learned from',
        params,
        response: { 204: z.undefined() },
      },
    },
    async ({ caller, params }, reply) => {
      await memory.forget(caller.userId, params.memory_id);
      return reply.status(204).send();
    },
  );
}
