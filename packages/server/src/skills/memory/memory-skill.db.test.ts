import type { UserAgentContext } from '@kith/protocol';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { noModels } from '../../../test/no-models.ts';
import { Config } from '../../config/index.ts';
import { createMemory } from '../../memory/index.ts';
import { createLog } from '../../observability/index.ts';
import { createSkills } from '../create-skills.ts';
import { callerFor } from '../test-caller.ts';
import { Found, Updated } from './inputs.ts';

const database = await testDatabase();
const log = createLog('silent');
const config = Config.parse({ memory: { embeddings: 'none' } });
const memory = createMemory({ config: config.memory, database, models: noModels, log });
const skills = await createSkills({ config, log, memory });
const call = callerFor(database, skills);
afterAll(() => memory.close());

const search = async (userId: string, query: string) =>
  Found.parse((await call({ userId }, 'memory.search', { query })).result).memories;

test('what the user says is remembered by kind, found by its words, and forgotten', async () => {
  const output = await call({ userId: 'ann' }, 'memory.update', {
    user_memory: { nickname: 'Annie', facts: ['Has two cats'], preferences: ['Likes tea without milk'] },
    work_profile: { department: 'Research', projects: ['Apollo', 'Gemini'] },
  });
  expect(output).toMatchObject({
    status: 'success',
    result: { status: 'updated', count: 6 },
    ui_hints: { kind: 'memory.update' },
  });
  expect(Updated.parse(output.result).memory_ids).toHaveLength(6);
  const [tea] = await search('ann', 'tea milk');
  expect(tea).toMatchObject({ kind: 'preference', content: 'Likes tea without milk' });
  expect((await search('ann', 'Apollo'))[0]).toMatchObject({ kind: 'work_profile', content: 'Project: Apollo' });
  const forgotten = await call({ userId: 'ann' }, 'memory.forget', { memory_id: tea?.memory_id ?? '' });
  expect(forgotten.result).toEqual({ memory_id: tea?.memory_id, status: 'forgotten', count: 1 });
  expect(await search('ann', 'tea milk')).toEqual([]);
  expect(await call({ userId: 'ann' }, 'memory.forget', { memory_id: tea?.memory_id ?? '' })).toMatchObject({
    status: 'failure',
    error: { code: 'MEMORY_NOT_FOUND' },
  });
});

test('of a nickname, a company or a title there is one at a time, in whichever language it was said', async () => {
  const update = (language: string, input: Record<string, Record<string, string>>) =>
    call({ userId: 'bo', language }, 'memory.update', input);
  await update('zh-CN', { user_memory: { nickname: '小波' }, work_profile: { company: '甲公司' } });
  await update('en', { user_memory: { nickname: 'Bo' } });
  const { memories } = await memory.list('bo', { status: 'live', limit: 10 });
  expect(memories.map(({ content }) => content).sort()).toEqual(['Nickname: Bo', '公司: 甲公司']);
});

test('said twice is remembered once', async () => {
  const input = { user_memory: { facts: ['Speaks Dutch'] } };
  await call({ userId: 'cy' }, 'memory.update', input);
  expect((await call({ userId: 'cy' }, 'memory.update', input)).result).toMatchObject({ count: 0 });
});

test('whoever has turned memory off is neither remembered nor searched, but may still have things forgotten', async () => {
  const [memory_id = ''] = Updated.parse(
    (await call({ userId: 'di' }, 'memory.update', { user_memory: { facts: ['Is shy'] } })).result,
  ).memory_ids;
  const user: UserAgentContext = {
    user_id: 'di',
    username: 'di',
    settings: {
      version: 2,
      preferences: { interface_language: 'en', ai_language: 'en', timezone: 'UTC', country: 'US' },
      privacy: { memory_enabled: false },
      notification: {},
      safety: {},
    },
  };
  const di = { userId: 'di', user };
  const off = { status: 'failure', error: { code: 'MEMORY_OFF' } };
  expect(await call(di, 'memory.update', { user_memory: { facts: ['x'] } })).toMatchObject(off);
  expect(await call(di, 'memory.search', { query: 'shy' })).toMatchObject(off);
  expect(await call(di, 'memory.forget', { memory_id })).toMatchObject({ status: 'success' });
});

test.each([
  [{}, undefined],
  [{ user_memory: {} }, 'user_memory'],
  [{ user_memory: { shoe_size: '42' } }, 'user_memory.shoe_size'],
  [{ user_memory: { birthday: 'in May' } }, 'user_memory.birthday'],
  [{ work_profile: { projects: 'Apollo' } }, 'work_profile.projects'],
  [{ note: 'x' }, 'note'],
])('memory.update refuses %j by its field', async (input, field) => {
  const { status, error } = await call({ userId: 'ed' }, 'memory.update', input);
  expect({ status, code: error?.code, field: error?.field }).toEqual({
    status: 'failure',
    code: 'INPUT_INVALID',
    field,
  });
});
