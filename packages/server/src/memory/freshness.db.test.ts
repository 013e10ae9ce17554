import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabaseAddress } from '../../test/database.ts';
import { noModels } from '../../test/no-models.ts';
import { Config } from '../config/index.ts';
import { openDatabase, type Transaction } from '../db/index.ts';
import { createLog } from '../observability/index.ts';
import { createMemory, type Memory } from './index.ts';

/** Two servers on one database, each with connections and indexes of its own. */
const address = await testDatabaseAddress();
const databases = [await openDatabase(address), await openDatabase(address)] as const;
const [here, there] = databases.map((database) =>
  createMemory({ config: Config.parse({}).memory, database, models: noModels, log: createLog('silent') }),
) as [Memory, Memory];
afterAll(() => Promise.all(databases.map((database) => database.close())));

const source = { thread_id: 'thread', run_id: 'run', turn: 1 };
const learnIn = async (memory: Memory, sql: Transaction, content: string, supersedes?: string) => {
  const [id = ''] = await memory.learn(sql, 'alice', { memories: [{ kind: 'fact', content, supersedes }] }, source);
  return id;
};
const learn = (content: string, supersedes?: string) =>
  databases[0].sql.begin((sql) => learnIn(here, sql, content, supersedes));
const found = async (memory: Memory, query = 'tea', sql?: Transaction) =>
  (await memory.search({ userId: 'alice', query, limit: 1000, sql })).memories.map(({ content }) => content).sort();

beforeEach(async () => {
  await databases[0].sql`truncate memories, memory_vectors, memory_versions`;
});

test('what one server learns, the other finds at once', async () => {
  await learn('green tea');
  expect(await found(there)).toEqual(['green tea']);
  const id = await learn('black tea');
  expect(await found(there)).toEqual(['black tea', 'green tea']);
  await learn('white tea', id);
  expect(await found(there)).toEqual(['green tea', 'white tea']);
});

test('what one server forgets, the other no longer finds', async () => {
  const id = await learn('green tea');
  await learn('black tea');
  expect(await found(there)).toHaveLength(2);
  await here.forget('alice', id);
  expect(await found(there)).toEqual(['black tea']);
  await here.forgetAll('alice');
  expect(await found(there)).toEqual([]);
  await learn('oolong tea');
  expect(await found(there)).toEqual(['oolong tea']);
});

test('more than one page of memories is read whole, though not inside a transaction, and stays whole when it changes', async () => {
  const memories = Array.from({ length: 4500 }, (_, at) => ({ kind: 'fact' as const, content: `tea number ${at}` }));
  await databases[0].sql.begin((sql) => here.learn(sql, 'alice', { memories }, source));
  const within = () =>
    databases[1].sql.begin((sql) => there.recallWithin(sql, { userId: 'alice', query: 'number 4321' }));
  expect(await within()).toBeUndefined();
  for (const memory of [here, there]) expect(await found(memory, 'number 4321')).toContain('tea number 4321');
  expect(await within()).toEqual(expect.arrayContaining([expect.objectContaining({ content: 'tea number 4321' })]));
  await learn('tea number 4500');
  expect(await found(there, 'number 4500')).toContain('tea number 4500');
});

test('a transaction finds what it wrote itself, and nobody else does before it is committed', async () => {
  await learn('green tea');
  await found(here);
  await databases[0].sql.begin(async (sql) => {
    await learnIn(here, sql, 'black tea');
    expect(await found(here, 'tea', sql)).toEqual(['black tea', 'green tea']);
  });
  expect(await found(here)).toEqual(['black tea', 'green tea']);
});

test('what a transaction wrote and took back is never found, not even when its version is used again', async () => {
  await learn('green tea');
  await found(here);
  const rollback = new Error('rolled back');
  const attempt = databases[0].sql.begin(async (sql) => {
    await sql.savepoint((inner) => learnIn(here, inner, 'black tea'));
    expect(await found(here, 'tea', sql)).toContain('black tea');
    throw rollback;
  });
  await expect(attempt).rejects.toBe(rollback);
  expect(await found(here)).toEqual(['green tea']);
  await learn('white tea');
  expect(await found(here)).toEqual(['green tea', 'white tea']);
});

test('what a transaction only read is at hand for the next search', async () => {
  await learn('green tea');
  const statements: string[] = [];
  const watched = await openDatabase(address, { onStatement: (_, statement) => statements.push(statement) });
  const memory = createMemory({
    config: Config.parse({}).memory,
    database: watched,
    models: noModels,
    log: createLog('silent'),
  });
  await watched.sql.begin(async (sql) => {
    await sql`create temporary table written (n int) on commit drop`;
    await memory.recallWithin(sql, { userId: 'alice', query: 'tea' });
  });
  const rows = await watched.sql`
    select 1 from memories where user_id = 'alice' and revision > (select version from memory_versions where user_id = 'alice')`;
  expect(rows).toHaveLength(0);
  statements.length = 0;
  expect(await found(memory)).toEqual(['green tea']);
  expect(statements).toHaveLength(2);
  await watched.close();
});
