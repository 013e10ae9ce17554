import { beforeEach, expect, test } from 'vitest';
import { conceptModels } from '../../test/concept-models.ts';
import { testDatabase } from '../../test/database.ts';
import { noModels } from '../../test/no-models.ts';
import { Config } from '../config/index.ts';
import type { Models } from '../models/index.ts';
import { createLog } from '../observability/index.ts';
import { inProcessCosines } from './cosines/in-process.ts';
import { pgvectorCosines } from './cosines/pgvector.ts';
import { createMemory } from './index.ts';

const database = await testDatabase();
const open = (models: Models, embeddings: 'auto' | 'registry' | 'none' = 'registry') =>
  createMemory({
    config: Config.parse({ memory: { embeddings } }).memory,
    database,
    models,
    log: createLog('silent'),
  });
type Memory = ReturnType<typeof open>;

const learn = (memory: Memory, ...contents: string[]) =>
  database.sql.begin((sql) =>
    memory.learn(
      sql,
      'alice',
      { memories: contents.map((content) => ({ kind: 'fact', content })) },
      { thread_id: 't', run_id: 'r', turn: 1 },
    ),
  );
const found = async (memory: Memory, query: string) =>
  (await memory.search({ userId: 'alice', query })).memories.map(({ content }) => content);
const withVectors = () => database.sql<{ model: string }[]>`select model from memory_vectors order by memory_id`;

beforeEach(async () => {
  await database.sql`truncate memories, memory_vectors, memory_versions`;
});

test('meaning finds what words do not, across languages', async () => {
  const memory = open(conceptModels());
  await learn(memory, 'Adopted a kitten in May', 'Bought a new automobile', 'Plays the cello');
  await found(memory, 'first search: memories get their vectors');
  expect((await found(memory, '我的猫'))[0]).toBe('Adopted a kitten in May');
  expect((await found(memory, 'which car'))[0]).toBe('Bought a new automobile');
  expect(await found(open(noModels), '我的猫')).toEqual([]);
});

test('a memory gets its vectors with the next search, in the same call', async () => {
  const models = conceptModels();
  const memory = open(models);
  await learn(memory, 'Has a cat');
  const said = { prompt: 'a trip', answer: 'where to?', previous: 'my dog', recalled: [] };
  await database.sql.begin((sql) => memory.keepTurn(sql, 'alice', said, { thread_id: 't', run_id: 'r', turn: 2 }));
  expect(models.calls).toEqual([]);
  await found(memory, 'hello');
  const turn = 'User: a trip\nAssistant: where to?';
  expect(models.calls).toHaveLength(1);
  expect(models.calls[0]?.[0]).toBe('hello');
  expect(models.calls[0]?.slice(1).sort()).toEqual(['Has a cat', turn, `my dog\n${turn}`].sort());
  await found(memory, 'again');
  expect(models.calls[1]).toEqual(['again']);
});

test('many memories without vectors get theirs a few at a time, the newest first', async () => {
  const models = conceptModels();
  const memory = open(models);
  await learn(memory, ...Array.from({ length: 10 }, (_, at) => `cat number ${at}`));
  for (let search = 0; search < 3; search++) await found(memory, 'cat');
  expect(models.calls.every((texts) => texts.length <= 9)).toBe(true);
  expect(await withVectors()).toHaveLength(10);
});

test('a model that cannot be reached leaves the search to words', async () => {
  const models = conceptModels();
  const memory = open(models);
  await learn(memory, 'Has a cat');
  models.isUp = false;
  expect(await found(memory, 'cat')).toEqual(['Has a cat']);
  expect(await withVectors()).toEqual([]);
  models.isUp = true;
  await found(memory, 'cat');
  expect(await withVectors()).toHaveLength(1);
});

test('a user without memories costs no call', async () => {
  const models = conceptModels();
  await found(open(models), 'cat');
  expect(models.calls).toEqual([]);
});

test('with another model, vectors of the old one are not compared, and are made anew', async () => {
  const memory = open(conceptModels('test/old'));
  await learn(memory, 'Has a cat');
  await found(memory, 'x');
  const next = open(conceptModels('test/new'));
  await found(next, 'feline');
  expect(await withVectors()).toEqual([{ model: 'test/new' }]);
  expect(await found(next, 'feline')).toEqual(['Has a cat']);
});

test('the vectors of the simulator are left aside unless they are asked for', async () => {
  const models = conceptModels('simulator/embedding-like');
  await learn(open(models), 'Has a cat');
  await found(open(models, 'auto'), 'cat');
  expect(models.calls).toEqual([]);
  const within = (memory: Memory) =>
    database.sql.begin((sql) => memory.recallWithin(sql, { userId: 'alice', query: 'cat' }));
  expect(await within(open(models, 'auto'))).toMatchObject([{ content: 'Has a cat' }]);
  await found(open(models, 'registry'), 'cat');
  expect(models.calls).toHaveLength(1);
  expect(await within(open(models, 'registry'))).toBeUndefined();
});

test('inside a transaction nothing is embedded but the query', async () => {
  const models = conceptModels();
  const memory = open(models);
  await learn(memory, 'Has a cat');
  await database.sql.begin((sql) => memory.search({ userId: 'alice', query: 'cat', sql }));
  expect(models.calls).toEqual([['cat']]);
});

test('a vector that comes too late for a forgotten memory is not kept', async () => {
  const models = conceptModels();
  const memory = open(models);
  const [id = ''] = await learn(memory, 'Has a cat');
  const late: Models = {
    ...models,
    modelFor: models.modelFor,
    embed: async (call, texts) => {
      await memory.forget('alice', id);
      return models.embed(call, texts);
    },
  };
  expect(await found(open(late), 'cat')).toEqual([]);
  expect(await withVectors()).toEqual([]);
});

test('a vector of what was said before a turn is not kept once that was forgotten', async () => {
  const models = conceptModels();
  const memory = open(models);
  const say = (turn: number, prompt: string, previous: string) =>
    database.sql.begin((sql) =>
      memory.keepTurn(
        sql,
        'alice',
        { prompt, answer: '', previous, recalled: [] },
        { thread_id: 't', run_id: 'r', turn },
      ),
    );
  await say(1, 'my cat is ill', '');
  await say(2, 'what to do', 'my cat is ill');
  const [first] = await Array.fromAsync(memory.export('alice'));
  const late: Models = {
    ...models,
    modelFor: models.modelFor,
    embed: async (call, texts) => {
      if (texts.length > 1) await memory.forget('alice', first?.id ?? '');
      return models.embed(call, texts);
    },
  };
  await found(open(late), 'ill');
  expect(await withVectors()).toEqual([]);
  await found(memory, 'ill');
  expect(await database.sql`select context_embedding from memory_vectors`).toEqual([{ context_embedding: null }]);
});

test('the database and the process find the same cosines', async () => {
  const memory = open(conceptModels());
  const ids = await learn(memory, 'cat and dog', 'doctor', 'nothing of the kind');
  await found(memory, 'x');
  const query = Float32Array.from([0.5, 0.1, 0.7, -0.2, 0.3, 0.1]);
  const request = { userId: 'alice', space: 'test/concepts', query, ids };
  const here = await inProcessCosines(database.sql, request);
  expect(here.size).toBe(3);
  for (const [text, both] of here.values()) expect(both).toBe(text);
  const length = (values: number[]) => Math.hypot(...values);
  const expected = (0.5 + 0.1 + 0.01) / (length([1, 1, 0.1]) * length([...query]));
  expect(here.get(ids[0] ?? '')?.[0]).toBeCloseTo(expected, 5);
  expect(await inProcessCosines(database.sql, { ...request, userId: 'bob' })).toEqual(new Map());
  expect(await inProcessCosines(database.sql, { ...request, space: 'other' })).toEqual(new Map());
  // Only the embedded database is sure to have pgvector; where it is not, the process is all there is.
  const there = database.vector ? await pgvectorCosines(database.sql, request) : here;
  for (const [id, [text]] of here) expect(there.get(id)?.[0]).toBeCloseTo(text, 5);
});
