import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KeyInput, ModelInput } from '@kith/protocol';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../../test/database.ts';
import { eventually } from '../../test/eventually.ts';
import { temporaryHome, testModels } from '../../test/models.ts';

const database = await testDatabase();
const home = temporaryHome();
const open = (given: Parameters<typeof testModels>[1] = {}) => testModels(database, { home, ...given });
const stagesOf = async () =>
  Object.fromEntries(
    (await database.sql`select agent_type, model_id from system_agents`).map((row) => [row.agent_type, row.model_id]),
  );

beforeEach(async () => {
  await database.sql`truncate system_agents, models, vendor_keys, vendor_endpoints, vendors cascade`;
});

describe('at the start', () => {
  test('with nothing configured the simulator serves every stage, and the log says so', async () => {
    const { models, lines } = await open();
    expect(models.simulated()).toBe(true);
    expect(await stagesOf()).toEqual({
      INTENT_RECOGNITION: 'simulator/deepseek-flash-like',
      TASK_EXECUTION: 'simulator/deepseek-flash-like',
      RESULT_REPORTING: 'simulator/deepseek-flash-like',
      MEMORY: 'simulator/deepseek-flash-like',
      EMBEDDING: 'simulator/embedding-like',
    });
    expect(lines.join()).toContain('the built-in simulator answers');
  });

  test.each([
    [{ DEEPSEEK_API_KEY: 'sk-deepseek-1' }, 'deepseek/deepseek-flash', undefined],
    [{ DASHSCOPE_API_KEY: 'sk-dashscope-1' }, 'dashscope/qwen3.7-plus', 'dashscope/text-embedding-v4'],
    [
      { OPENAI_API_KEY: 'sk-openai-1', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODEL: 'glm-5' },
      'openai/glm-5',
      undefined,
    ],
    [
      { DEEPSEEK_API_KEY: 'sk-deepseek-1', DASHSCOPE_API_KEY: 'sk-dashscope-1' },
      'deepseek/deepseek-flash',
      'dashscope/text-embedding-v4',
    ],
  ])('the first vendor of the environment serves every stage (%o)', async (environment, text, embedding) => {
    const { models } = await open({ environment });
    expect(models.modelFor('INTENT_RECOGNITION')).toBe(text);
    expect(models.modelFor('MEMORY')).toBe(text);
    expect(models.modelFor('EMBEDDING')).toBe(embedding);
    expect(models.simulated()).toBe(false);
  });

  test('DashScope is asked in Beijing', async () => {
    const { models } = await open({ environment: { DASHSCOPE_API_KEY: 'sk-dashscope-1' } });
    const urls = (await models.infra.endpoints.list('dashscope')).map(({ base_url }) => base_url);
    expect(urls).toEqual([
      'https://dashscope.aliyuncs.com/compatible-mode/v1',
      'https://dashscope.aliyuncs.com/api/v1',
    ]);
  });

  test('kith.yaml comes before the environment, and its stages before everything', async () => {
    const vendors = [
      {
        id: 'house',
        adapter: 'openai-compatible' as const,
        endpoints: [{ baseUrl: 'http://127.0.0.1:9/v1' }],
        keys: [{ env: 'HOUSE_KEY', serves: ['vip'], monthlyBudget: '12.5' }],
        models: [
          { name: 'house-1', capabilities: { tools: true } },
          { name: 'house-2', fallback: 'house-1' },
        ],
      },
    ];
    const { models } = await open({
      config: { vendors, stages: { RESULT_REPORTING: 'house/house-2' } },
      environment: { HOUSE_KEY: 'house-secret-1', DEEPSEEK_API_KEY: 'sk-deepseek-1' },
      stages: { RESULT_REPORTING: 'deepseek/deepseek-flash', MEMORY: 'deepseek/deepseek-v4-pro' },
    });
    expect(await stagesOf()).toMatchObject({
      INTENT_RECOGNITION: 'house/house-1',
      RESULT_REPORTING: 'house/house-2',
      MEMORY: 'deepseek/deepseek-v4-pro',
    });
    expect(await models.infra.keys.list('house')).toMatchObject([
      { serves: ['vip'], monthly_budget: '12.5', source: 'config' },
    ]);
    expect(await models.infra.models.get('house/house-2')).toMatchObject({ fallback_model_id: 'house/house-1' });
  });

  test('a stage whose model does not exist stops the start with its name', async () => {
    await expect(open({ config: { stages: { TASK_EXECUTION: 'nobody/nothing' } } })).rejects.toMatchObject({
      code: 'STAGE_MODEL_MISSING',
      message: expect.stringContaining('TASK_EXECUTION'),
    });
  });

  test('a faulty parser in kith.yaml stops the start with its path', async () => {
    const vendors = [
      {
        id: 'house',
        adapter: 'http' as const,
        endpoints: [{ baseUrl: 'http://127.0.0.1:9' }],
        models: [{ name: 'odd', responseParser: { texts: 'a' } }],
      },
    ];
    await expect(open({ config: { vendors } })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('models.vendors.0.models.0.responseParser'),
    });
  });

  test('a local Ollama serves where nothing else is there, without a key', async () => {
    const server = createServer((_request, response) =>
      response.end(JSON.stringify({ models: [{ name: 'bge-m3:latest' }, { name: 'qwen3:8b' }] })),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    afterAll(() => server.close());
    const { port } = server.address() as AddressInfo;
    const { models } = await open({ environment: { OLLAMA_HOST: `127.0.0.1:${port}` } });
    expect(models.modelFor('TASK_EXECUTION')).toBe('ollama/qwen3:8b');
    expect(models.modelFor('EMBEDDING')).toBe('ollama/bge-m3:latest');
    expect(await models.infra.keys.list('ollama')).toEqual([]);
  });

  test('what came by the API stays, whatever the environment says', async () => {
    const first = await open({ environment: { DEEPSEEK_API_KEY: 'sk-deepseek-1' } });
    const [endpoint] = await first.models.infra.endpoints.list('deepseek');
    await first.models.infra.endpoints.update(endpoint?.id ?? '', { base_url: 'http://127.0.0.1:9/proxy' });
    await first.models.infra.models.update('deepseek/deepseek-flash', { max_output_tokens: 777 });
    await first.models.infra.agents.assign('RESULT_REPORTING', 'deepseek/deepseek-v4-pro');

    const second = await open({
      environment: { DEEPSEEK_API_KEY: 'sk-deepseek-2', DEEPSEEK_BASE_URL: 'http://127.0.0.1:9/other' },
    });
    expect(await second.models.infra.endpoints.list('deepseek')).toMatchObject([
      { base_url: 'http://127.0.0.1:9/proxy', source: 'api' },
    ]);
    expect(await second.models.infra.models.get('deepseek/deepseek-flash')).toMatchObject({ max_output_tokens: 777 });
    expect(second.models.modelFor('RESULT_REPORTING')).toBe('deepseek/deepseek-v4-pro');
    // The key was the environment's, and still is.
    expect(await second.models.infra.keys.list('deepseek')).toMatchObject([
      { source: 'environment', rotated_at: expect.any(String) },
    ]);
  });

  test('a vendor that was registered by hand serves before the simulator does', async () => {
    const first = await open();
    await first.models.infra.addKnownVendor('deepseek');
    await first.models.infra.keys.create(
      KeyInput.parse({ vendor_id: 'deepseek', label: 'mine', secret: 'sk-by-hand-1' }),
    );
    const second = await open();
    expect(second.models.modelFor('TASK_EXECUTION')).toBe('deepseek/deepseek-flash');
    expect(second.models.simulated()).toBe(false);
  });
});

describe('a server that is less compatible than it says', () => {
  const Answer = z.object({ text: z.string() });

  /** An OpenAI-compatible server that answers a chat in its own way. */
  async function compatible(answer: (body: Record<string, unknown>) => { status: number; body: unknown }) {
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const piece of request) text += String(piece);
      const { status, body } = answer(JSON.parse(text));
      response.writeHead(status).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    afterAll(() => server.close());
    const { port } = server.address() as AddressInfo;
    const OPENAI_BASE_URL = `http://127.0.0.1:${port}/v1`;
    return open({ environment: { OPENAI_API_KEY: 'sk-compatible-1', OPENAI_MODEL: 'any', OPENAI_BASE_URL } });
  }
  const said = (content: string, more: object = {}) => ({
    status: 200,
    body: { choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }], ...more },
  });
  const call = () => ({
    callId: randomUUID(),
    agentType: 'TASK_EXECUTION' as const,
    modelId: 'openai/any',
    messages: [{ role: 'user' as const, content: 'hi' }],
  });

  test('and refuses a form of answers is asked for a looser one, and that is remembered', async () => {
    const asked: unknown[] = [];
    const { models } = await compatible(({ response_format: format }) => {
      asked.push(format);
      if (format === undefined) return said('Sure: {"text":"ok"}');
      return { status: 400, body: { error: { message: 'This response_format type is unavailable now' } } };
    });
    const form = { name: 'Answer', schema: Answer };
    expect(await models.structured(call(), form)).toMatchObject({
      ok: true,
      value: { value: { text: 'ok' } },
      bookings: [{ attempts: 3 }],
    });
    expect(await models.structured(call(), form)).toMatchObject({ ok: true, bookings: [{ attempts: 1 }] });
    expect(asked).toMatchObject([{ type: 'json_schema' }, { type: 'json_object' }, undefined, undefined]);
  });

  test('and writes its usage sloppily is understood all the same', async () => {
    const { models } = await compatible(() =>
      said('ok', { usage: { prompt_tokens: 3, completion_tokens: '2', total_tokens: null } }),
    );
    expect(await models.generate(call())).toMatchObject({
      ok: true,
      value: { text: 'ok' },
      bookings: [{ raw_usage: { prompt_tokens: 3 }, input_tokens: 3 }],
    });
  });
});

describe('while it runs', () => {
  test('a change is in use at once in the process that made it, and soon in the others', async () => {
    const one = await open();
    const two = await open({ pollMs: 20 });
    await one.models.infra.vendors.create({ id: 'new', adapter: 'http', enabled: true });
    await one.models.infra.models.create(ModelInput.parse({ vendor_id: 'new', name: 'model' }));
    expect(one.models.registry.current().models.has('new/model')).toBe(true);
    await eventually(() => expect(two.models.registry.current().models.has('new/model')).toBe(true));
    await one.models.infra.models.delete('new/model');
    await eventually(() => expect(two.models.registry.current().models.has('new/model')).toBe(false));
  });

  test('a row that cannot be used is left out, named in the log, and spoils nothing else', async () => {
    const { models, lines } = await open();
    await models.infra.vendors.create({ id: 'new', adapter: 'http', enabled: true });
    await database.sql`
      insert into models (id, vendor_id, name, category, response_parser)
      values ('new/broken', 'new', 'broken', 'text', ${database.sql.json({ text: 'a[' })})`;
    await models.registry.refresh();
    expect(models.registry.current().models.has('new/broken')).toBe(false);
    expect(models.registry.current().models.size).toBeGreaterThan(0);
    expect(lines.join()).toContain('new/broken');
  });

  test('an answer counts for the model that an administrator chose meanwhile', async () => {
    const { models } = await open();
    await models.infra.agents.assign('TASK_EXECUTION', 'simulator/deepseek-pro-like');
    const modelId = models.modelFor('TASK_EXECUTION') ?? '';
    const messages = [{ role: 'user' as const, content: '你好' }];
    const outcome = await models.generate({ callId: randomUUID(), agentType: 'TASK_EXECUTION', modelId, messages });
    expect(outcome).toMatchObject({ ok: true, bookings: [{ model_id: 'simulator/deepseek-pro-like' }] });
  });
});
