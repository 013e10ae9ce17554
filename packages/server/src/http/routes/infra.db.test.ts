import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EndpointView, InvokeResult, KeyView, ModelView, PriceView, SystemAgentView, VendorView } from '@kith/protocol';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testKith } from '../../../test/kith.ts';

const kith = await testKith({ config: { server: { rateLimit: { max: 100_000 } } } });
const admin = kith.as('root', 'admin');
const zhangsan = kith.as('zhangsan');
const infra = (path: string) => `/api/v1/infra/${path}`;
const model = (id: string, rest = '') => infra(`models/${encodeURIComponent(id)}${rest}`);

beforeEach(async () => {
  await kith.database.sql`delete from vendors where id not in ('simulator')`;
  await kith.rooms.models.registry.refresh();
});

describe('the registry', () => {
  test('is for administrators', async () => {
    for (const path of ['vendors', 'endpoints', 'keys', 'models', 'agents', 'prices']) {
      expect(await zhangsan.get(infra(path))).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
    expect(await zhangsan.post(model('simulator/deepseek-flash-like', '/invoke'), { prompt: 'hi' })).toMatchObject({
      status: 403,
    });
    expect(await zhangsan.post(infra('vendors'), { id: 'x', adapter: 'http' })).toMatchObject({ status: 403 });
  });

  test('takes a vendor with endpoints, keys and models, changes them and lets them go', async () => {
    const vendor = await admin.post(infra('vendors'), { id: 'house', adapter: 'openai-compatible', name: 'House' });
    expect(vendor.status).toBe(201);
    expect(vendor.read(VendorView)).toMatchObject({ id: 'house', source: 'api', endpoints: 0 });
    expect(await admin.post(infra('vendors'), { id: 'house', adapter: 'http' })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_EXISTS' },
    });

    const endpoint = (
      await admin.post(infra('endpoints'), { vendor_id: 'house', base_url: 'http://127.0.0.1:9/v1' })
    ).read(EndpointView);
    expect(endpoint).toMatchObject({ label: 'default', categories: [], circuit: 'closed' });
    expect(await admin.patch(infra(`endpoints/${endpoint.id}`), { priority: 3 })).toMatchObject({
      status: 200,
      body: { priority: 3 },
    });

    const key = (
      await admin.post(infra('keys'), { vendor_id: 'house', label: 'one', secret: 'house-secret-0123456789' })
    ).read(KeyView);
    expect(key).toMatchObject({ prefix: 'house…', weight: 1, spent_this_month: '0', last_error: null });
    expect(await admin.patch(infra(`keys/${key.id}`), { monthly_budget: '10.50', serves: ['vip'] })).toMatchObject({
      body: { monthly_budget: '10.5', serves: ['vip'] },
    });
    expect(await admin.post(infra(`keys/${key.id}/rotate`), { secret: 'another-secret-0123456789' })).toMatchObject({
      body: { id: key.id, prefix: 'anothe…', rotated_at: expect.any(String) },
    });

    const created = await admin.post(infra('models'), {
      vendor_id: 'house',
      name: 'org/house-1',
      capabilities: { tools: true },
    });
    expect(created.read(ModelView)).toMatchObject({ id: 'house/org/house-1', category: 'text' });
    expect(await admin.patch(model('house/org/house-1'), { max_output_tokens: 100 })).toMatchObject({
      body: { max_output_tokens: 100 },
    });
    expect(await admin.get(infra('models?vendor_id=house'))).toMatchObject({
      body: { models: [{ id: 'house/org/house-1' }] },
    });
    expect(await admin.get(infra('vendors/house'))).toMatchObject({ body: { endpoints: 1, keys: 1, models: 1 } });

    expect((await admin.delete(model('house/org/house-1'))).status).toBe(204);
    expect((await admin.delete(infra(`keys/${key.id}`))).status).toBe(204);
    expect((await admin.delete(infra(`endpoints/${endpoint.id}`))).status).toBe(204);
    expect((await admin.delete(infra('vendors/house'))).status).toBe(204);
    expect(await admin.get(infra('vendors/house'))).toMatchObject({ status: 404, body: { code: 'VENDOR_NOT_FOUND' } });
  });

  test('refuses what it could not use, and names the field', async () => {
    await admin.post(infra('vendors'), { id: 'house', adapter: 'http' });
    const refused = async (body: object, field: string) =>
      expect(await admin.post(infra('models'), { vendor_id: 'house', name: 'm', ...body })).toMatchObject({
        status: 400,
        body: { code: 'REQUEST_INVALID', errors: [{ field: expect.stringContaining(field) }] },
      });
    await refused({ response_parser: { text: 'a[' } }, 'response_parser.text');
    await refused({ response_parser: { preset: 'nobody' } }, 'response_parser.preset');
    await refused({ request_template: { path: '/x', body: { a: '{{ b[ }}' } } }, 'request_template.body.a');
    await refused({ price_cards: [{ bands: [] }] }, 'price_cards');
    await refused({ fallback_model_id: 'nobody/nothing' }, 'fallback_model_id');
    await refused({ capabilities: { batch: -1 } }, 'capabilities.batch');
    await refused({ colour: 'blue' }, 'colour');
    expect(await admin.post(infra('models'), { vendor_id: 'nobody', name: 'm' })).toMatchObject({ status: 404 });
    expect(await admin.post(infra('endpoints'), { vendor_id: 'house', base_url: 'file:///etc/passwd' })).toMatchObject({
      status: 400,
    });
    expect(
      await admin.post(infra('keys'), { vendor_id: 'house', label: 'x', secret: 'with space inside' }),
    ).toMatchObject({ status: 400 });
    expect(await admin.get(infra(`keys/${randomUUID()}`))).toMatchObject({
      status: 404,
      body: { code: 'KEY_NOT_FOUND' },
    });
  });

  test('gives agents their models, and never leaves a stage without one', async () => {
    const { agents } = (await admin.get(infra('agents'))).read(z.object({ agents: z.array(SystemAgentView) }));
    expect(agents.filter(({ required }) => required).map(({ agent_type }) => agent_type)).toEqual([
      'INTENT_RECOGNITION',
      'TASK_EXECUTION',
      'RESULT_REPORTING',
    ]);
    const path = infra('agents/MEMORY');
    expect(await admin.put(path, { model_id: 'simulator/deepseek-pro-like' })).toMatchObject({
      status: 200,
      body: { source: 'api' },
    });
    expect(await admin.put(path, { model_id: 'simulator/embedding-like' })).toMatchObject({ status: 400 });
    expect(await admin.put(path, { model_id: 'nobody/nothing' })).toMatchObject({ status: 404 });
    expect(await admin.delete(model('simulator/deepseek-pro-like'))).toMatchObject({
      status: 409,
      body: { code: 'IN_USE' },
    });
    expect((await admin.delete(path)).status).toBe(204);
    expect(await admin.delete(infra('agents/TASK_EXECUTION'))).toMatchObject({ status: 409, body: { code: 'IN_USE' } });
    expect(await admin.get(infra('agents/NOBODY'))).toMatchObject({ status: 400 });
  });

  test('asks the vendor whether it takes a key', async () => {
    const add = async (label: string, secret: string) =>
      (await admin.post(infra('keys'), { vendor_id: 'simulator', label, secret, enabled: false })).read(KeyView).id;
    expect(await admin.post(infra(`keys/${await add('good', 'sim-good-key')}/test`))).toMatchObject({
      body: { ok: true, error: null },
    });
    const bad = await admin.post(infra(`keys/${await add('bad', 'sim-invalid')}/test`));
    expect(bad).toMatchObject({ status: 200, body: { ok: false, error: expect.stringContaining('401') } });
  });

  test('shows prices with the band that holds now', async () => {
    const { prices } = (await admin.get(infra('prices'))).read(z.object({ prices: z.array(PriceView) }));
    expect(prices.find(({ model_id }) => model_id === 'simulator/deepseek-flash-like')).toMatchObject({
      in_force: true,
      band: expect.stringMatching(/^(peak|off)$/),
      card: { source: expect.stringContaining('simulator') },
    });
    expect(prices.filter(({ model: name, in_force }) => name === 'deepseek-flash' && in_force)).toHaveLength(1);
  });
});

describe('a model, tried', () => {
  const invoke = (id: string, body: object) => admin.post(model(id, '/invoke'), body);

  test('answers as its category does, and is booked', async () => {
    const text = (await invoke('simulator/deepseek-flash-like', { prompt: '你好' })).read(InvokeResult);
    expect(text).toMatchObject({
      category: 'text',
      text: expect.stringMatching(/./),
      call: { status: 'succeeded', cost: expect.stringMatching(/^0\./) },
    });
    const vectors = (await invoke('simulator/embedding-like', { input: ['a', 'b'] })).read(InvokeResult);
    expect(vectors.vectors?.map((vector) => vector.length)).toEqual([256, 256]);
    const images = (await invoke('simulator/image-like', { prompt: '一只猫', parameters: { n: 2 } })).read(
      InvokeResult,
    );
    expect(images).toMatchObject({
      images: [{ url: expect.stringMatching(/^http/) }, {}],
      task: { done: true },
      call: { cost: '0.5' },
    });
    const video = (await invoke('simulator/video-like', { prompt: '一只猫' })).read(InvokeResult);
    expect(video).toMatchObject({ videos: [{ url: expect.stringMatching(/^http/) }], task: { done: true } });
    expect(Number(video.call.cost)).toBeGreaterThan(0);
    const rows = await kith.database
      .sql`select status, user_id, agent_type from model_calls where id = any(${[text, vectors, images, video].map(({ call }) => call.id)})`;
    expect(rows).toEqual(Array(4).fill({ status: 'succeeded', user_id: 'root', agent_type: 'INVOKE' }));
  });

  test('that works on a video for a while can be asked after, and stays one booking', async () => {
    const begun = (await invoke('simulator/video-like', { prompt: '一只猫', wait_seconds: 0 })).read(InvokeResult);
    expect(begun).toMatchObject({ task: { done: false }, call: { status: 'started', cost: null } });
    const done = (await invoke('simulator/video-like', { task_id: begun.task?.id })).read(InvokeResult);
    expect(done).toMatchObject({
      task: { id: begun.task?.id, done: true },
      call: { id: begun.call.id, status: 'succeeded' },
    });
    const rows = await kith.database.sql`select status, cost::text from model_calls where id = ${begun.call.id}`;
    expect(rows).toEqual([{ status: 'succeeded', cost: expect.stringMatching(/^[1-9]|0\.\d*[1-9]/) }]);
  });

  test('says what is missing, and what the vendor said', async () => {
    expect(await invoke('simulator/embedding-like', { prompt: 'x' })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'input' }] },
    });
    expect(await invoke('nobody/nothing', { prompt: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'MODEL_NOT_FOUND' },
    });
    await admin.post(infra('vendors'), { id: 'gone', adapter: 'openai-compatible' });
    await admin.post(infra('endpoints'), { vendor_id: 'gone', base_url: 'http://127.0.0.1:1' });
    await admin.post(infra('models'), { vendor_id: 'gone', name: 'm' });
    expect(await invoke('gone/m', { prompt: 'x' })).toMatchObject({
      status: 502,
      body: { code: 'MODEL_UNAVAILABLE', detail: expect.stringContaining('ECONNREFUSED') },
    });
  });
});

/** A vendor whose wire nobody prepared for. */
describe('a vendor with a body of its own', () => {
  const asked: { path: string; headers: IncomingMessage['headers']; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += String(piece);
    const body = JSON.parse(text);
    asked.push({ path: request.url ?? '', headers: request.headers, body });
    if (request.headers['x-odd-key'] !== 'odd-secret-1234') {
      response.writeHead(200).end(JSON.stringify({ trouble: { nr: 401, why: 'who are you?' } }));
    } else if (body.drip) {
      for (const bit of ['Guten', ' Tag', '!']) response.write(`${JSON.stringify({ bit })}\n`);
      response.end(`${JSON.stringify({ bit: '', over: 'yes', meter: { in: 21, out: 3 } })}\n`);
    } else {
      response.end(
        JSON.stringify({
          parcels: [
            { kind: 'musing', words: 'They greet me. ' },
            { kind: 'speech', words: 'Guten Tag' },
            { kind: 'speech', words: '!' },
            { kind: 'deed', nr: 7, verb: 'look_up', with: { what: 'weather' } },
          ],
          halt: 'done',
          meter: { in: 21, kept: 5, out: 3 },
        }),
      );
    }
  });
  afterAll(() => server.close());

  const wire = {
    request_template: {
      path: "/v9/{{ model }}/converse?mode={{ stream && 'drip' || 'whole' }}",
      headers: { 'X-Odd-Key': '{{ key }}', 'X-Trace': 'kith {{ model }}' },
      body: {
        persona: '{{ system }}',
        talk: "{{ messages[?role != 'system'].{by: role, words: content} }}",
        warmth: '{{ temperature }}',
        longest: '{{ max_output_tokens }}',
        deeds: '{{ tools[*].{verb: name, hint: description} }}',
        drip: '{{ stream }}',
        note: 'asked by kith for {{ model }}',
        fixed: [1, null, 'two'],
      },
    },
    response_parser: {
      text: "join('', parcels[?kind == 'speech'].words)",
      reasoning: "join('', parcels[?kind == 'musing'].words)",
      tool_calls: "parcels[?kind == 'deed'].{id: to_string(nr), name: verb, arguments: with}",
      finish_reason: 'halt',
      usage: '{prompt_tokens: meter.in, completion_tokens: meter.out, cached_tokens: meter.kept}',
      error: 'trouble.{code: nr, message: why}',
      stream: {
        format: 'ndjson',
        text: 'bit',
        finish_reason: "over && 'stop'",
        usage: '{prompt_tokens: meter.in, completion_tokens: meter.out}',
      },
    },
    price_cards: [
      {
        effective_from: '2026-01-01T00:00:00+08:00',
        bands: [{ name: 'flat', tiers: [{ input: '2', output: '8', cache_hit: '0.5' }] }],
      },
    ],
  };

  beforeEach(async () => {
    asked.length = 0;
    await new Promise<void>((resolve) => (server.listening ? resolve() : server.listen(0, '127.0.0.1', resolve)));
    const { port } = server.address() as AddressInfo;
    await admin.post(infra('vendors'), { id: 'odd', adapter: 'http' });
    await admin.post(infra('endpoints'), { vendor_id: 'odd', base_url: `http://127.0.0.1:${port}/` });
    await admin.post(infra('keys'), { vendor_id: 'odd', label: 'one', secret: 'odd-secret-1234' });
    expect((await admin.post(infra('models'), { vendor_id: 'odd', name: 'elder', ...wire })).status).toBe(201);
  });

  test('is a row, not code: it answers, thinks, calls tools and is priced', async () => {
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: '你好' },
    ];
    const result = (await admin.post(model('odd/elder', '/invoke'), { messages, temperature: 0.5 })).read(InvokeResult);
    expect(result).toMatchObject({
      text: 'Guten Tag!',
      reasoning: 'They greet me. ',
      tool_calls: [{ id: '7', name: 'look_up', arguments: '{"what":"weather"}' }],
      finish_reason: 'done',
      call: {
        input_tokens: 21,
        output_tokens: 3,
        cached_tokens: 5,
        cost: '0.0000585',
        cost_source: 'catalog_fallback',
      },
    });
    expect(asked).toEqual([
      {
        path: '/v9/elder/converse?mode=whole',
        headers: expect.objectContaining({ 'x-odd-key': 'odd-secret-1234', 'x-trace': 'kith elder' }),
        body: {
          persona: 'Be kind.',
          talk: [{ by: 'user', words: '你好' }],
          warmth: 0.5,
          drip: false,
          note: 'asked by kith for elder',
          fixed: [1, null, 'two'],
        },
      },
    ]);
    expect(asked[0]?.headers.authorization).toBeUndefined();
  });

  test('streams by its own lines', async () => {
    const deltas: string[] = [];
    const outcome = await kith.rooms.models.generate({
      callId: randomUUID(),
      agentType: 'TASK_EXECUTION',
      modelId: 'odd/elder',
      messages: [{ role: 'user', content: '你好' }],
      onText: (delta) => deltas.push(delta),
    });
    expect(deltas).toEqual(['Guten', ' Tag', '!']);
    expect(outcome).toMatchObject({
      ok: true,
      value: { text: 'Guten Tag!', finishReason: 'stop' },
      bookings: [{ input_tokens: 21, cost: '0.000066' }],
    });
  });

  test('has its own way of saying no', async () => {
    const { keys } = (await admin.get(infra('keys?vendor_id=odd'))).read(z.object({ keys: z.array(KeyView) }));
    await admin.post(infra(`keys/${keys[0]?.id}/rotate`), { secret: 'wrong-secret-1234' });
    expect(await admin.post(model('odd/elder', '/invoke'), { prompt: 'x' })).toMatchObject({
      status: 502,
      body: { code: 'NO_KEY', detail: expect.stringContaining('who are you?') },
    });
  });
});
