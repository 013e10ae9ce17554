import { beforeEach, expect, test } from 'vitest';
import { conceptModels } from '../../test/concept-models.ts';
import { testDatabase } from '../../test/database.ts';
import { Config } from '../config/index.ts';
import { createLog } from '../observability/index.ts';
import { createMemory } from './index.ts';

const database = await testDatabase();
const config = Config.parse({ memory: { embeddings: 'registry' } }).memory;
const memory = createMemory({ config, database, models: conceptModels(), log: createLog('silent') });
const source = (turn: number, thread_id = 'thread') => ({ thread_id, run_id: 'run', turn });
const SECRET = 'cat-1802';

const learn = async (content: string, turn: number, supersedes?: string) => {
  const update = { memories: [{ kind: 'fact' as const, content, supersedes }] };
  const [id = ''] = await database.sql.begin((sql) => memory.learn(sql, 'alice', update, source(turn)));
  return id;
};
const say = (turn: number, prompt: string, previous = '', thread = 'thread') =>
  database.sql.begin((sql) =>
    memory.keepTurn(sql, 'alice', { prompt, answer: 'ok', previous, recalled: [] }, source(turn, thread)),
  );
const found = async (query: string) =>
  (await memory.search({ userId: 'alice', query, limit: 50 })).memories.map(({ content }) => content);

/** Every place of the database where the word still stands. */
async function traces(word: string): Promise<string[]> {
  const tables = await database.sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`;
  const places: string[] = [];
  for (const { name } of tables) {
    const rows = await database.sql`
      select 1 from ${database.sql(name)} as row where row::text like ${`%${word}%`} limit 1`;
    if (rows.length > 0) places.push(name);
  }
  return places;
}

beforeEach(async () => {
  await database.sql`truncate memories, memory_vectors, memory_versions`;
});

test('a forgotten memory is gone, with all that it superseded and the turns it was learned from', async () => {
  await say(1, `My cat's chip is ${SECRET}`);
  await say(2, 'Thanks, what is the weather?', `My cat's chip is ${SECRET}`);
  await say(3, 'And tomorrow?', 'Thanks, what is the weather?');
  const first = await learn(`The cat's chip is ${SECRET}`, 1);
  const second = await learn(`The old chip of the cat was ${SECRET}, now it is 77`, 4, first);
  // Twice: the first search gives the memories their vectors.
  await found('chip of the cat');
  expect(await found(SECRET)).not.toEqual([]);
  expect(await traces(SECRET)).toEqual(['memories']);
  expect(await database.sql`select 1 from memory_vectors`).not.toHaveLength(0);

  const gone = await memory.forget('alice', second);
  expect(gone).toEqual(expect.arrayContaining([first, second]));
  expect(gone).toHaveLength(3);
  expect(await traces(SECRET)).toEqual([]);
  expect(await traces(first)).toEqual([]);
  expect((await found(SECRET)).join()).not.toMatch(/cat|chip/);
  // What was said after it is still there, without what was said before.
  expect((await found('the weather')).length).toBe(2);
  const vectors = await database.sql<{ n: number }[]>`
    select count(*)::int as n from memory_vectors where context_embedding is not null`;
  expect(vectors).toEqual([{ n: 1 }]);
});

test('forgetting what was superseded leaves what holds now', async () => {
  const first = await learn('Lives in Beijing', 1);
  const second = await learn('Lives in Shanghai', 2, first);
  expect(await memory.forget('alice', first)).toEqual([first]);
  expect(await memory.get('alice', second)).toMatchObject({ content: 'Lives in Shanghai', valid_to: null });
  expect(await found('lives')).toEqual(['Lives in Shanghai']);
});

test('a turn of another thread stays', async () => {
  await say(1, 'The dog likes the river', '', 'other');
  await say(1, 'The dog likes the park');
  const id = await learn('Has a dog', 1);
  await memory.forget('alice', id);
  expect(await found('the dog')).toEqual(['User: The dog likes the river\nAssistant: ok']);
});

test('what is not there cannot be forgotten', async () => {
  for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense', '']) {
    await expect(memory.forget('alice', id)).rejects.toMatchObject({ code: 'MEMORY_NOT_FOUND' });
  }
  expect(await traces('alice')).toEqual([]);
});

test('a forgetting that is rolled back has not happened', async () => {
  const id = await learn('Has a dog', 1);
  const rollback = new Error('rolled back');
  await expect(
    database.sql.begin(async (sql) => {
      await memory.forget('alice', id, sql);
      expect((await memory.search({ userId: 'alice', query: 'dog', sql })).memories).toEqual([]);
      throw rollback;
    }),
  ).rejects.toBe(rollback);
  expect(await found('dog')).toEqual(['Has a dog']);
});

test('everything can be forgotten at once, and nothing of it is left', async () => {
  await learn(`chip ${SECRET}`, 1);
  await say(1, 'hello');
  await found('chip');
  expect(await memory.forgetAll('alice')).toBe(2);
  expect(await traces('alice')).toEqual([]);
  expect(await found('chip')).toEqual([]);
  await learn('A new life', 1);
  expect(await found('life')).toEqual(['A new life']);
});
