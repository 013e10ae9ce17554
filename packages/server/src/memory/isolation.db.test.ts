import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { conceptModels } from '../../test/concept-models.ts';
import { testDatabase } from '../../test/database.ts';
import { Config } from '../config/index.ts';
import { createLog } from '../observability/index.ts';
import { createMemory } from './index.ts';

const database = await testDatabase();
const memory = createMemory({
  config: Config.parse({ memory: { embeddings: 'registry' } }).memory,
  database,
  models: conceptModels(),
  log: createLog('silent'),
});
// The same thread and turn numbers for both, as two users may well have.
const source = (turn: number) => ({ thread_id: 'main', run_id: 'run', turn });
const MINE = 'bob';
const THEIRS = 'alice';
/** Stands in everything that belongs to Alice, and nowhere else. */
const MARK = 'alicesecret';

const words = ['cat', 'tea', '杭州', '喜欢', 'doctor', 'trip', MARK];
const phrase = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '));

/** Whatever Bob may do, and what he gets to see of it. */
const attempts: Record<string, (query: string, theirId: string) => Promise<unknown>> = {
  recall: (query) => memory.recall({ userId: MINE, query }),
  search: (query) => memory.search({ userId: MINE, query, limit: 100 }),
  'search in a transaction': (query) =>
    database.sql.begin((sql) => memory.search({ userId: MINE, query, limit: 100, sql })),
  list: () => memory.list(MINE, { status: 'all', limit: 100 }),
  export: () => Array.fromAsync(memory.export(MINE)),
  get: (_, id) => refused(() => memory.get(MINE, id)),
  correct: (query, id) => refused(() => memory.correct(MINE, id, { content: query })),
  forget: (_, id) => refused(() => memory.forget(MINE, id)),
  'learn what supersedes it': (query, id) =>
    database.sql.begin((sql) =>
      memory.learn(sql, MINE, { memories: [{ kind: 'fact', content: `bob ${query}`, supersedes: id }] }, source(1)),
    ),
  'keep a turn for which it was recalled': (query, id) =>
    database.sql.begin((sql) =>
      memory.keepTurn(
        sql,
        MINE,
        { prompt: 'hi', answer: query.replaceAll(MARK, ''), previous: '', recalled: [id] },
        source(1),
      ),
    ),
  'forget all': () => memory.forgetAll(MINE),
};

async function refused(work: () => Promise<unknown>): Promise<string> {
  const outcome = await work().then(
    () => 'allowed',
    (error) => error.code,
  );
  expect(outcome).toBe('MEMORY_NOT_FOUND');
  return outcome;
}

test('by no method does a user see or change what is remembered of another', async () => {
  const fill = async (content: string) => {
    const [id = ''] = await database.sql.begin((sql) =>
      memory.learn(sql, THEIRS, { memories: [{ kind: 'fact', content: `${MARK} ${content}` }] }, source(1)),
    );
    return id;
  };
  const ids = [await fill('cat'), await fill('杭州'), await fill('喜欢 tea')];
  const said = { prompt: `${MARK} trip`, answer: MARK, previous: MARK, recalled: [] };
  await database.sql.begin((sql) => memory.keepTurn(sql, THEIRS, said, source(1)));
  await memory.search({ userId: THEIRS, query: 'cat' });
  await memory.search({ userId: THEIRS, query: 'cat' });
  const theirs = async () => [
    ...(await database.sql`
      select memories.*, embedding, context_embedding, version, epoch from memories
      left join memory_vectors on memory_id = id
      join memory_versions on memory_versions.user_id = memories.user_id
      where memories.user_id = ${THEIRS} order by id`),
  ];
  const before = await theirs();
  expect(before).toHaveLength(4);

  const step = fc.tuple(fc.constantFrom(...Object.keys(attempts)), phrase, fc.constantFrom(...ids));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const [name, query, id] of steps) {
        const answer = JSON.stringify((await attempts[name]?.(query.replaceAll(MARK, 'tea'), id)) ?? null);
        expect(answer).not.toContain(MARK);
        for (const theirId of ids) expect(answer).not.toContain(theirId);
      }
      expect(await theirs()).toEqual(before);
    }),
    { numRuns: 25 },
  );
});

test('asking for another’s secret by its very words finds nothing of it', async () => {
  const { memories } = await memory.search({ userId: MINE, query: `${MARK} cat 杭州`, limit: 100 });
  expect(JSON.stringify(memories)).not.toContain(`${MARK} cat`);
});
