import type { MemoryUpdate } from '@kith/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { noModels } from '../../test/no-models.ts';
import { Config } from '../config/index.ts';
import { createLog } from '../observability/index.ts';
import { createMemory } from './index.ts';

const database = await testDatabase();
const config = Config.parse({}).memory;
const memory = createMemory({ config, database, models: noModels, log: createLog('silent') });
const source = (turn = 1, thread_id = 'thread') => ({ thread_id, run_id: `run-${turn}`, turn });

const learn = (userId: string, memories: MemoryUpdate['memories'], turn = 1) =>
  database.sql.begin((sql) => memory.learn(sql, userId, { memories }, source(turn)));
const say = (userId: string, turn: number, prompt: string, answer = '好的', previous = '') =>
  database.sql.begin((sql) => memory.keepTurn(sql, userId, { prompt, answer, previous, recalled: [] }, source(turn)));
const fact = (content: string, supersedes?: string) => ({ kind: 'fact' as const, content, supersedes });
const recall = async (userId: string, query: string) => (await memory.recall({ userId, query })).memories;
const contents = async (userId: string, query: string) => (await recall(userId, query)).map(({ content }) => content);
const everything = (userId: string) => Array.fromAsync(memory.export(userId));

beforeEach(async () => {
  await database.sql`truncate memories, memory_vectors, memory_versions`;
});

describe('learning', () => {
  test('what was learned is recalled, in both languages', async () => {
    const ids = await learn('alice', [fact('我住在杭州西湖区'), fact('Works as a nurse at the city hospital')]);
    expect(ids).toHaveLength(2);
    expect(await contents('alice', '我住在哪里')).toEqual(['我住在杭州西湖区']);
    expect(await contents('alice', 'where does she work?')).toEqual(['Works as a nurse at the city hospital']);
  });

  test('the same statement is kept once, however it is written', async () => {
    const [first] = await learn('alice', [fact('Likes green tea.')]);
    expect(await learn('alice', [fact('likes  GREEN tea'), fact('Likes green tea!')])).toEqual([]);
    expect(await everything('alice')).toMatchObject([{ id: first, uses: 1 }]);
  });

  test('two runs that learn the same at the same time keep it once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => learn('alice', [fact('Has two cats')])));
    expect(await everything('alice')).toHaveLength(1);
  });

  test('a new statement takes the place of the one that it contradicts', async () => {
    const [old] = await learn('alice', [fact('Lives in Beijing')]);
    const [next] = await learn('alice', [fact('Lives in Shanghai', old)], 2);
    expect(await contents('alice', 'Where does she live: Beijing or Shanghai?')).toEqual(['Lives in Shanghai']);
    const [before, after] = await everything('alice');
    expect(before).toMatchObject({ id: old, superseded_by: next });
    expect(after).toMatchObject({ id: next, valid_to: null, source: source(2) });
    expect(before?.valid_to).toBe(after?.valid_from);
  });

  test('whoever contradicts an old version means what holds now: the last word wins', async () => {
    const [beijing] = await learn('alice', [fact('Lives in Beijing')]);
    const [shanghai] = await learn('alice', [fact('Lives in Shanghai', beijing)]);
    const [canton] = await learn('alice', [fact('Lives in Canton', beijing)]);
    expect(await memory.get('alice', shanghai ?? '')).toMatchObject({ superseded_by: canton });
    expect(await contents('alice', 'lives in')).toEqual(['Lives in Canton']);
  });

  test('one statement may be replaced by two', async () => {
    const [old] = await learn('alice', [fact('Drinks tea and coffee')]);
    await learn('alice', [fact('Drinks tea in the morning', old), fact('Drinks coffee at work', old)]);
    expect((await contents('alice', 'drinks')).sort()).toEqual(['Drinks coffee at work', 'Drinks tea in the morning']);
  });

  test('what was true once and is true again is a new memory', async () => {
    const [old] = await learn('alice', [fact('Lives in Beijing')]);
    const [next] = await learn('alice', [fact('Lives in Shanghai', old)]);
    const [again] = await learn('alice', [fact('Lives in Beijing', next)]);
    expect(again).not.toBe(old);
    expect(await contents('alice', 'lives')).toEqual(['Lives in Beijing']);
  });

  test.each([
    ['nobody knows', '00000000-0000-4000-8000-000000000000'],
    ['is no id at all', 'the first one'],
  ])('an id that %s supersedes nothing, and the statement is kept', async (_, supersedes) => {
    await learn('alice', [fact('Lives in Beijing')]);
    expect(await learn('alice', [fact('Has a bicycle', supersedes)])).toHaveLength(1);
    expect((await everything('alice')).filter(({ valid_to }) => valid_to === null)).toHaveLength(2);
  });

  test('characters that the database cannot keep are left out', async () => {
    await learn('alice', [fact('Likes \u0000jazz\ud83d'), fact(' \u0000 ')]);
    expect(await everything('alice')).toMatchObject([{ content: 'Likes jazz\ufffd' }]);
  });
});

describe('turns', () => {
  test('are kept verbatim and found by their words', async () => {
    await say('alice', 1, '帮我订周五去成都的高铁', '已为您预订 G89 次列车');
    expect(await recall('alice', '成都的高铁是哪一班')).toMatchObject([
      { kind: 'turn', content: 'User: 帮我订周五去成都的高铁\nAssistant: 已为您预订 G89 次列车' },
    ]);
  });

  test('are found by what was said just before them', async () => {
    await say('alice', 1, 'Which hotel in Lisbon should I take?', 'The one by the river.');
    await say(
      'alice',
      2,
      'Yes, three nights please',
      'Done.',
      'Which hotel in Lisbon should I take?\nThe one by the river.',
    );
    await say('alice', 3, 'What is the weather today', 'Sunny.');
    expect(await contents('alice', 'Lisbon')).toEqual([
      expect.stringContaining('by the river'),
      expect.stringContaining('three nights'),
    ]);
  });

  test('a pasted book is cut, between characters', async () => {
    await say('alice', 1, '😀'.repeat(50_000));
    const [kept] = await everything('alice');
    expect([...(kept?.content ?? '')].length).toBeLessThan(5000);
    expect(kept?.content.isWellFormed()).toBe(true);
  });

  test('a wish to forget is not remembered itself', async () => {
    await say('alice', 1, '请忘掉我的门牌号 1802', '已忘记');
    await say('alice', 2, '今天天气如何', '晴', '请忘掉我的门牌号 1802\n已忘记');
    expect(JSON.stringify(await everything('alice'))).not.toContain('1802');
    expect(await database.sql`select 1 from memories where context like '%1802%'`).toHaveLength(0);
  });

  test('what was recalled for a turn counts as used', async () => {
    const [id] = await learn('alice', [fact('Has a dog called Rex')]);
    const said = { prompt: 'walk Rex', answer: 'ok', previous: '', recalled: [id ?? ''] };
    await database.sql.begin((sql) => memory.keepTurn(sql, 'alice', said, source()));
    expect(await memory.get('alice', id ?? '')).toMatchObject({ uses: 1 });
    expect((await memory.get('alice', id ?? '')).last_used_at).not.toBeNull();
  });
});

describe('recall', () => {
  test('preferences stand by, whatever is asked', async () => {
    await learn('alice', [{ kind: 'preference', content: '回答要简短' }, fact('Has a dog')]);
    expect(await recall('alice', 'hello there')).toMatchObject([
      { kind: 'preference', content: '回答要简短', score: 0 },
    ]);
  });

  test('a user without memories has none', async () => {
    expect(await memory.recall({ userId: 'nobody', query: 'hello' })).toEqual({ memories: [], bookings: [] });
  });

  test('stays within the budget of the prompt', async () => {
    for (let turn = 1; turn <= 20; turn++) await say('alice', turn, `报告第${turn}章 ${'内容'.repeat(500)}`);
    const memories = await recall('alice', '报告内容');
    expect(memories.length).toBeGreaterThan(3);
    expect(memories.length).toBeLessThanOrEqual(config.recall);
    expect(memories.reduce((sum, { content }) => sum + [...content].length, 0)).toBeLessThanOrEqual(
      config.promptBudget,
    );
  });

  test('switched off in the configuration, nothing is recalled', async () => {
    await learn('alice', [fact('Has a dog')]);
    const off = createMemory({
      config: { ...config, enabled: false },
      database,
      models: noModels,
      log: createLog('silent'),
    });
    expect((await off.recall({ userId: 'alice', query: 'dog' })).memories).toEqual([]);
  });
});

describe('the user', () => {
  test('adds a memory by hand, once', async () => {
    const { memory: added, isNew } = await memory.add('alice', { kind: 'fact', content: '属虎' });
    expect(isNew).toBe(true);
    expect(added).toMatchObject({ kind: 'fact', content: '属虎', source: { by: 'user' }, valid_to: null });
    expect(await memory.add('alice', { kind: 'fact', content: '属虎。' })).toMatchObject({
      isNew: false,
      memory: { id: added.id },
    });
  });

  test('corrects a memory: the new one holds, the old one stays in the history', async () => {
    const [id = ''] = await learn('alice', [fact('born in 1990')]);
    const corrected = await memory.correct('alice', id, { content: 'born in 1991' });
    expect(corrected).toMatchObject({ kind: 'fact', content: 'born in 1991', source: { by: 'user' } });
    expect(await memory.get('alice', id)).toMatchObject({ content: 'born in 1990', superseded_by: corrected.id });
    expect(await contents('alice', 'born')).toEqual(['born in 1991']);
  });

  test('corrects only the spelling, or only the kind', async () => {
    const [id = ''] = await learn('alice', [fact('likes jazz')]);
    const spelled = await memory.correct('alice', id, { content: 'Likes Jazz' });
    expect(spelled.content).toBe('Likes Jazz');
    expect(await memory.correct('alice', spelled.id, { kind: 'preference' })).toMatchObject({
      kind: 'preference',
      content: 'Likes Jazz',
    });
    expect((await everything('alice')).filter(({ valid_to }) => valid_to === null)).toHaveLength(1);
  });

  test('cannot correct what was superseded, nor what was said', async () => {
    const [id = ''] = await learn('alice', [fact('one')]);
    await memory.correct('alice', id, { content: 'two' });
    await expect(memory.correct('alice', id, { content: 'three' })).rejects.toMatchObject({
      code: 'MEMORY_SUPERSEDED',
    });
    await say('alice', 1, 'hello');
    const turn = (await everything('alice')).find(({ kind }) => kind === 'turn');
    await expect(memory.correct('alice', turn?.id ?? '', { content: 'x' })).rejects.toMatchObject({
      code: 'MEMORY_VERBATIM',
    });
  });

  test('reads everything, page by page, newest first, none twice and none left out', async () => {
    await learn(
      'alice',
      Array.from({ length: 25 }, (_, at) => fact(`fact number ${at}`)),
    );
    await say('alice', 1, 'a turn');
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await memory.list('alice', { status: 'live', limit: 7, cursor });
      seen.push(...page.memories.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor);
    expect(seen).toHaveLength(26);
    expect(new Set(seen).size).toBe(26);
    expect((await memory.list('alice', { kind: 'turn', status: 'live', limit: 10 })).memories).toHaveLength(1);
    await expect(memory.list('alice', { status: 'live', limit: 1, cursor: 'bm9uc2Vuc2U' })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
    });
  });

  test('takes everything along, superseded memories and turns included', async () => {
    const [id] = await learn('alice', [fact('one')]);
    await learn('alice', [fact('two', id)]);
    await say('alice', 1, 'three');
    expect((await everything('alice')).map(({ content }) => content)).toEqual([
      'one',
      'two',
      'User: three\nAssistant: 好的',
    ]);
  });
});
