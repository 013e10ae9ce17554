import { randomUUID } from 'node:crypto';
import { KeyInput, ModelInput } from '@kith/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { temporaryHome, testModels } from '../../test/models.ts';
import type { ModelCall } from './index.ts';

const database = await testDatabase();
let now = new Date('2026-11-16T02:00:00Z');
const { models, simulator } = await testModels(database, {
  home: temporaryHome(),
  config: { retries: 1, timeoutSeconds: 5 },
  clock: () => now,
});
const { control } = simulator;
const { infra } = models;
const modelId = 'simulator/deepseek-flash-like';

function call(more: Partial<ModelCall> = {}): ModelCall {
  const messages = [{ role: 'user' as const, content: '你好' }];
  return { callId: randomUUID(), agentType: 'INTENT_RECOGNITION', modelId, userId: 'zhangsan', messages, ...more };
}

const addKey = (label: string, secret: string, more: object = {}) =>
  infra.keys.create(KeyInput.parse({ vendor_id: 'simulator', label, secret, ...more }));
const keysUsed = () => control.requests.map(({ key }) => key);

beforeEach(async () => {
  now = new Date(now.getTime() + 600_000);
  control.reset();
  for (const key of await infra.keys.list('simulator')) await infra.keys.delete(key.id);
  await infra.models.update(modelId, { fallback_model_id: null, enabled: true });
});

describe('keys', () => {
  test('a refused key makes way for the next one, at once and without being a retry', async () => {
    const bad = await addKey('bad', 'sim-invalid', { weight: 1000 });
    const broke = await addKey('broke', 'sim-empty', { weight: 1000 });
    const good = await addKey('good', 'sim-good-key', { weight: 0 });
    const outcome = await models.generate(call());
    expect(outcome).toMatchObject({ ok: true, bookings: [{ key_id: good.id, attempts: 3 }] });
    await expect.poll(async () => (await infra.keys.get(bad.id)).last_error).toContain('401');
    await expect.poll(async () => (await infra.keys.get(broke.id)).last_error).toContain('402');
  });

  test('a limited key makes way for the next one without waiting', async () => {
    await addKey('one', 'sim-one-key');
    await addKey('two', 'sim-two-key');
    control.next({ status: 429, retryAfter: '3600' });
    expect(await models.generate(call())).toMatchObject({ ok: true, bookings: [{ attempts: 2 }] });
    expect(new Set(keysUsed()).size).toBe(2);
  });

  test('a session stays with its key, and sessions spread by weight', async () => {
    await addKey('one', 'sim-one-key', { weight: 1 });
    await addKey('three', 'sim-three-key', { weight: 3 });
    const firsts = new Map<string, string>();
    for (let count = 0; count < 40; count += 1) {
      const sessionId = randomUUID();
      await models.generate(call({ sessionId }));
      await models.generate(call({ sessionId }));
      const [first, second] = keysUsed().slice(-2);
      expect(second).toBe(first);
      firsts.set(sessionId, first ?? '');
    }
    const onThree = [...firsts.values()].filter((key) => key === 'sim-three-key').length;
    expect(onThree).toBeGreaterThan(20);
    expect(onThree).toBeLessThan(40);
  });

  test('a group with keys of its own uses those only, and everyone else never does', async () => {
    await addKey('vip', 'sim-vip-key', { serves: ['vip'] });
    await addKey('all', 'sim-all-key');
    await models.generate(call({ userGroup: 'vip' }));
    await models.generate(call({ userGroup: 'others' }));
    await models.generate(call());
    expect(keysUsed()).toEqual(['sim-vip-key', 'sim-all-key', 'sim-all-key']);
    const [vip] = (await infra.keys.list('simulator')).filter(({ label }) => label === 'vip');
    await infra.keys.update(vip?.id ?? '', { enabled: false });
    expect(await models.generate(call({ userGroup: 'vip' }))).toMatchObject({ ok: false, error: { code: 'NO_KEY' } });
  });

  test('a key that has used up its minute is passed over, and waited for only a little', async () => {
    await addKey('slow', 'sim-slow-key', { requests_per_minute: 1, weight: 1000 });
    const spare = await addKey('spare', 'sim-spare-key', { weight: 0 });
    await models.generate(call());
    await models.generate(call());
    expect(keysUsed()).toEqual(['sim-slow-key', 'sim-spare-key']);
    await infra.keys.delete(spare.id);
    const refused = await models.generate(call());
    expect(refused).toMatchObject({ ok: false, error: { code: 'MODEL_UNAVAILABLE' }, bookings: [{ attempts: 0 }] });
    now = new Date(now.getTime() + 60_000);
    expect((await models.generate(call())).ok).toBe(true);
  });

  test('a key over its tokens a minute recovers with time', async () => {
    await addKey('few', 'sim-few-key', { tokens_per_minute: 10 });
    expect((await models.generate(call())).ok).toBe(true);
    expect((await models.generate(call())).ok).toBe(false);
    now = new Date(now.getTime() + 10 * 60_000);
    expect((await models.generate(call())).ok).toBe(true);
  });

  test('a key whose monthly budget is spent is passed over until the month is over', async () => {
    const key = await addKey('poor', 'sim-poor-key', { monthly_budget: '0.00001' });
    const first = await models.generate(call());
    expect(first.ok).toBe(true);
    expect(await models.generate(call())).toMatchObject({ ok: false, error: { code: 'NO_KEY' } });
    await infra.keys.update(key.id, { monthly_budget: '1000' });
    expect((await models.generate(call())).ok).toBe(true);
  });

  test('a key that this master key cannot open is unusable, and says so', async () => {
    const key = await addKey('moved', 'sim-moved-key');
    const other = await addKey('other', 'sim-other-key', { enabled: false });
    await database.sql`update vendor_keys set secret = (select secret from vendor_keys where id = ${other.id}) where id = ${key.id}`;
    await models.registry.refresh();
    expect(await models.generate(call())).toMatchObject({ ok: false, error: { code: 'NO_KEY' } });
    expect(control.requests).toHaveLength(0);
    await expect.poll(async () => (await infra.keys.get(key.id)).last_error).toContain('master key');
  });
});

describe('endpoints and models', () => {
  test('an endpoint that cannot be reached makes way for the next one at once', async () => {
    await infra.vendors.create({ id: 'twice', adapter: 'openai-compatible', enabled: true });
    const endpoint = { vendor_id: 'twice', categories: [], enabled: true };
    const down = await infra.endpoints.create({
      ...endpoint,
      label: 'down',
      base_url: 'http://127.0.0.1:1',
      priority: 0,
    });
    const up = { ...endpoint, label: 'up', base_url: `${simulator.url}/dashscope/v1`, priority: 1 };
    const { id } = await infra.endpoints.create(up);
    await infra.keys.create(KeyInput.parse({ vendor_id: 'twice', label: 'one', secret: 'sim-twice-key' }));
    await infra.models.create(ModelInput.parse({ vendor_id: 'twice', name: 'any' }));
    const outcome = await models.generate(call({ modelId: 'twice/any' }));
    expect(outcome).toMatchObject({
      ok: true,
      bookings: [{ endpoint_id: id, attempts: 2, cost_source: 'unpriced', cost: null }],
    });
    expect(control.requests).toMatchObject([{ dialect: 'dashscope' }]);

    control.next({ kind: 'hang', times: 5 });
    await infra.endpoints.update(down.id, { base_url: `${simulator.url}/deepseek/v1` });
    const silent = await models.generate(call({ modelId: 'twice/any', timeoutMs: 100 }));
    expect(silent).toMatchObject({ ok: false, error: { code: 'MODEL_TIMEOUT' }, bookings: [{ attempts: 2 }] });
  });

  test('where a model cannot answer, its fallback does, in the same call', async () => {
    await addKey('one', 'sim-one-key');
    await infra.models.update(modelId, { fallback_model_id: 'simulator/deepseek-pro-like' });
    control.next({ status: 500, times: 2, match: { model: 'deepseek-flash-like' } });
    expect(await models.generate(call())).toMatchObject({
      ok: true,
      bookings: [{ model_id: 'simulator/deepseek-pro-like', attempts: 3 }],
    });
  });

  test('a request that is at fault itself goes to no fallback', async () => {
    await addKey('one', 'sim-one-key');
    await infra.models.update(modelId, { fallback_model_id: 'simulator/deepseek-pro-like' });
    control.next({ status: 400 });
    expect(await models.generate(call())).toMatchObject({ ok: false, error: { code: 'MODEL_REFUSED' } });
    expect(control.requests).toHaveLength(1);
  });

  test('fallbacks in a circle come to an end', async () => {
    await addKey('one', 'sim-one-key');
    await infra.models.update('simulator/deepseek-pro-like', { fallback_model_id: modelId });
    await infra.models.update(modelId, { fallback_model_id: 'simulator/deepseek-pro-like' });
    control.next({ status: 500, times: 100 });
    expect(await models.generate(call())).toMatchObject({ ok: false, bookings: [{ attempts: 4 }] });
  });
});

describe('what reaches the vendor', () => {
  test('reasoning goes back with the tool calls it led to, and thinking is on for reasoning models only', async () => {
    await addKey('one', 'sim-one-key');
    const messages: ModelCall['messages'] = [
      { role: 'user', content: '查一下' },
      {
        role: 'assistant',
        content: '',
        reasoning: 'I should look.',
        toolCalls: [{ id: 'call_1', name: 'project_cli', arguments: '{"module":"calendar"}' }],
      },
      { role: 'tool', toolCallId: 'call_1', toolName: 'project_cli', content: '{"status":"success"}' },
    ];
    const tools = [{ name: 'project_cli', description: 'skills', parameters: { type: 'object' } }];
    await models.generate(call({ modelId: 'simulator/deepseek-pro-like', messages, tools }));
    await models.generate(call({ temperature: 0.3 }));
    const [withTools, plain] = control.requests.map(({ body }) => body);
    expect(withTools).toMatchObject({
      model: 'deepseek-pro-like',
      thinking: { type: 'enabled' },
      tools: [{ type: 'function', function: { name: 'project_cli' } }],
      messages: [
        {},
        {
          role: 'assistant',
          reasoning_content: 'I should look.',
          tool_calls: [{ id: 'call_1', function: { name: 'project_cli', arguments: '{"module":"calendar"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '{"status":"success"}' },
      ],
    });
    expect(plain).toMatchObject({ thinking: { type: 'disabled' }, temperature: 0.3 });
  });

  test('tool calls come back whole, streamed or not', async () => {
    await addKey('one', 'sim-one-key');
    control.script(() => ({ toolCalls: [{ name: 'finish', arguments: { status: 'SUCCESS', report_brief: '好' } }] }));
    const whole = await models.generate(call());
    const streamed = await models.generate(call({ onText: () => {} }));
    for (const outcome of [whole, streamed]) {
      const toolCall = outcome.ok ? outcome.value.toolCalls[0] : undefined;
      expect(toolCall).toMatchObject({ id: expect.stringMatching(/./), name: 'finish' });
      expect(JSON.parse(toolCall?.arguments ?? '')).toEqual({ status: 'SUCCESS', report_brief: '好' });
    }
  });
});
