import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../../test/database.ts';
import { temporaryHome, testModels } from '../../test/models.ts';
import { errors } from '../errors/index.ts';
import { bookModelCalls, type CallOutcome, type ModelCall } from './index.ts';

const database = await testDatabase();
const home = temporaryHome();
const { models, simulator } = await testModels(database, { home, config: { retries: 2, timeoutSeconds: 5 } });
const { control } = simulator;
const modelId = 'simulator/deepseek-flash-like';

beforeEach(async () => {
  control.reset();
  await database.sql`truncate model_calls`;
  // Breakers remember what earlier tests did to the endpoint.
  await models.generate(call());
  control.reset();
});

function call(more: Partial<ModelCall> = {}): ModelCall {
  const messages = [{ role: 'user' as const, content: '你好' }];
  return { callId: randomUUID(), agentType: 'INTENT_RECOGNITION', modelId, userId: 'zhangsan', messages, ...more };
}

/** Books the outcome as its caller would, and gives the one row that it leaves. */
async function booked(outcome: CallOutcome<unknown>) {
  await bookModelCalls(database.sql, outcome.bookings);
  const rows = await database.sql`select *, cost::text as cost from model_calls`;
  expect(rows).toHaveLength(1);
  return rows[0];
}

const streamed = async (more: Partial<ModelCall> = {}) => {
  const deltas: string[] = [];
  const outcome = await models.generate(call({ onText: (delta) => deltas.push(delta), ...more }));
  return { outcome, text: deltas.join('') };
};

describe('a vendor that limits requests (429)', () => {
  test('is asked again after the time it named', async () => {
    control.next({ status: 429, retryAfter: '0.2' });
    const started = performance.now();
    const outcome = await models.generate(call());
    expect(outcome.ok).toBe(true);
    expect(performance.now() - started).toBeGreaterThan(200);
    expect(await booked(outcome)).toMatchObject({ status: 'succeeded', attempts: 2, error: null });
  });

  test('is asked again after a pause of ours where it named none', async () => {
    control.next({ status: 429 });
    const outcome = await models.generate(call());
    expect(await booked(outcome)).toMatchObject({ status: 'succeeded', attempts: 2 });
  });

  test('is not waited for longer than anyone would wait', async () => {
    control.next({ status: 429, retryAfter: '3600', times: 10 });
    const outcome = await models.generate(call());
    expect(outcome).toMatchObject({ ok: false, error: { code: 'MODEL_UNAVAILABLE' } });
    expect(await booked(outcome)).toMatchObject({ status: 'failed', attempts: 1, cost: '0.000000000000' });
  });

  test('is given up after the configured retries', async () => {
    control.next({ status: 429, times: 10 });
    const outcome = await models.generate(call());
    expect(outcome).toMatchObject({ ok: false, error: { code: 'MODEL_UNAVAILABLE', status: 502 } });
    expect(await booked(outcome)).toMatchObject({
      status: 'failed',
      attempts: 3,
      error: expect.stringMatching(/^limited: 429/),
    });
  });
});

describe('a key that the vendor does not take', () => {
  test.each([
    [401, 'unauthorized'],
    [402, 'unpaid'],
  ])('(%i) ends the call with NO_KEY and is noted on the key', async (status, kind) => {
    control.next({ status, times: 10 });
    const outcome = await models.generate(call());
    expect(outcome).toMatchObject({ ok: false, error: { code: 'NO_KEY' } });
    expect(await booked(outcome)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: expect.stringContaining(kind),
    });
    await expect
      .poll(() => database.sql`select last_error from vendor_keys where vendor_id = 'simulator'`)
      .toMatchObject([{ last_error: expect.stringContaining(String(status)) }]);
  });
});

describe('a vendor that fails', () => {
  test('with a 500 once is asked again', async () => {
    control.next({ status: 500 });
    expect(await booked(await models.generate(call()))).toMatchObject({ status: 'succeeded', attempts: 2 });
  });

  test('with a 500 every time is given up', async () => {
    control.next({ status: 500, times: 10 });
    const outcome = await models.generate(call());
    expect(outcome).toMatchObject({ ok: false, error: { code: 'MODEL_UNAVAILABLE' } });
    expect(await booked(outcome)).toMatchObject({ status: 'failed', attempts: 3 });
  });

  test('by refusing the request is not asked again', async () => {
    control.next({ status: 422, times: 10 });
    const outcome = await models.generate(call());
    expect(outcome).toMatchObject({ ok: false, error: { code: 'MODEL_REFUSED' } });
    expect(await booked(outcome)).toMatchObject({ status: 'failed', attempts: 1 });
    expect(control.requests).toHaveLength(1);
  });

  test('by silence ends in MODEL_TIMEOUT, and may have cost something', async () => {
    control.next({ kind: 'hang', times: 10 });
    const outcome = await models.generate(call({ timeoutMs: 150 }));
    expect(outcome).toMatchObject({ ok: false, error: { code: 'MODEL_TIMEOUT', status: 504 } });
    expect(await booked(outcome)).toMatchObject({ status: 'failed', attempts: 1, cost: null });
  });

  test('by silence in the middle of a stream ends in MODEL_TIMEOUT with what was shown', async () => {
    control.next({ kind: 'hang', after: 2, times: 10 });
    const { outcome, text } = await streamed({ timeoutMs: 150 });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'MODEL_TIMEOUT' } });
    expect(text).not.toBe('');
    expect(await booked(outcome)).toMatchObject({ status: 'failed', attempts: 1, cost: null });
  });

  test('by garbage in place of JSON is asked again, and then given up', async () => {
    control.next({ kind: 'garbage', times: 10 });
    const outcome = await models.generate(call());
    expect(outcome).toMatchObject({ ok: false, error: { code: 'MODEL_UNAVAILABLE' } });
    expect(await booked(outcome)).toMatchObject({ status: 'failed', attempts: 3, cost: null });
  });

  test.each([['whole'], ['streamed']])('by a body of 100 MB (%s) is cut off before it hurts', async (form) => {
    control.next({ kind: 'huge', megabytes: 100, times: 10 });
    const before = process.memoryUsage().rss;
    const { outcome } = form === 'whole' ? { outcome: await models.generate(call()) } : await streamed();
    expect(outcome).toMatchObject({ ok: false, error: { code: 'MODEL_UNAVAILABLE' } });
    expect(await booked(outcome)).toMatchObject({
      status: 'failed',
      attempts: 1,
      error: expect.stringMatching(/^too_large/),
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
  });
});

describe('a stream', () => {
  test('that is reset before the first token is begun again, and the text comes once', async () => {
    control.next({ kind: 'reset', after: 0 });
    const { outcome, text } = await streamed();
    expect(outcome).toMatchObject({ ok: true, value: { text } });
    expect(await booked(outcome)).toMatchObject({ status: 'succeeded', attempts: 2 });
  });

  test('that is reset after the first token is not begun again', async () => {
    control.next({ kind: 'reset', after: 2, times: 10 });
    const { outcome, text } = await streamed();
    expect(outcome).toMatchObject({ ok: false, error: { code: 'MODEL_UNAVAILABLE' } });
    expect(text).not.toBe('');
    expect(control.requests).toHaveLength(1);
    expect(await booked(outcome)).toMatchObject({
      status: 'failed',
      attempts: 1,
      cost: null,
      cost_source: 'incomplete_usage_fallback',
    });
  });

  test('with an error in its first chunk is begun again', async () => {
    control.next({ kind: 'error-chunk', after: 0 });
    const { outcome } = await streamed();
    expect(await booked(outcome)).toMatchObject({ status: 'succeeded', attempts: 2 });
  });

  test('with an error after the first token ends with that error', async () => {
    control.next({ kind: 'error-chunk', after: 2, times: 10 });
    const { outcome } = await streamed();
    expect(outcome.ok).toBe(false);
    expect(await booked(outcome)).toMatchObject({ status: 'failed', attempts: 1, cost: null });
  });

  test('without usage is a good answer of unknown cost, never of cost 0', async () => {
    control.next({ kind: 'no-usage' });
    const { outcome, text } = await streamed();
    expect(outcome).toMatchObject({ ok: true, value: { text } });
    expect(await booked(outcome)).toMatchObject({
      status: 'succeeded',
      raw_usage: null,
      input_tokens: null,
      cost: null,
      cost_source: 'incomplete_usage_fallback',
    });
  });

  test('says the same as an answer in one piece, and costs the same', async () => {
    const whole = await models.generate(call());
    const { outcome, text } = await streamed();
    expect(whole).toMatchObject({ ok: true, value: { text } });
    expect(outcome.bookings[0]).toMatchObject({
      raw_usage: { completion_tokens: whole.bookings[0]?.output_tokens },
      cost: whole.bookings[0]?.cost,
    });
  });
});

describe('a call', () => {
  test('that its caller gives up ends at once, as canceled', async () => {
    control.next({ kind: 'hang', times: 10 });
    const outcome = await models.generate(call({ signal: AbortSignal.timeout(100) }));
    expect(outcome).toMatchObject({ ok: false, error: { code: 'RUN_CANCELED' } });
    expect(await booked(outcome)).toMatchObject({ status: 'failed', attempts: 1 });
  });

  test('that was given up before it began is never sent', async () => {
    const outcome = await models.generate(call({ signal: AbortSignal.abort() }));
    expect(outcome).toMatchObject({ ok: false, error: { code: 'RUN_CANCELED' } });
    expect(control.requests).toHaveLength(0);
    expect(await booked(outcome)).toMatchObject({ status: 'failed', attempts: 0, cost: '0.000000000000' });
  });

  test("whose caller fails on a token ends with the caller's own error", async () => {
    const onText = () => {
      throw errors.LEASE_LOST();
    };
    const outcome = await models.generate(call({ onText }));
    expect(outcome).toMatchObject({ ok: false, error: { code: 'LEASE_LOST' } });
    expect(await booked(outcome)).toMatchObject({ status: 'failed', attempts: 1, cost: null });
  });

  test('to a model that does not exist is booked too', async () => {
    const outcome = await models.generate(call({ modelId: 'nobody/nothing' }));
    expect(outcome).toMatchObject({ ok: false, error: { code: 'MODEL_NOT_FOUND' } });
    expect(await booked(outcome)).toMatchObject({ status: 'failed', model_id: 'nobody/nothing', attempts: 0 });
  });

  test('booked twice stays one row, and the first booking counts', async () => {
    const { bookings } = await models.generate(call());
    await bookModelCalls(database.sql, bookings);
    await bookModelCalls(
      database.sql,
      bookings.map((row) => ({ ...row, cost: '99' })),
    );
    const rows = await database.sql`select trim_scale(cost)::text as cost from model_calls`;
    expect(rows).toEqual([{ cost: bookings[0]?.cost }]);
  });

  test('that was announced takes on its end, and so does one that was given up', async () => {
    for (const status of ['started', 'lost'] as const) {
      await database.sql`truncate model_calls`;
      const outcome = await models.generate(call());
      const announced = outcome.bookings.map((row) => ({
        ...row,
        status,
        cost: null,
        model_id: null,
        finished_at: null,
      }));
      await bookModelCalls(database.sql, announced);
      expect(await booked(outcome)).toMatchObject({ status: 'succeeded', model_id: modelId });
    }
  });

  test('whose session is gone is booked all the same', async () => {
    const outcome = await models.generate(call({ sessionId: randomUUID() }));
    expect(await booked(outcome)).toMatchObject({ status: 'succeeded', session_id: null });
  });
});

describe('an endpoint that keeps failing', () => {
  test('is left alone for a while, and then tried again by one call', async () => {
    let now = Date.now();
    const room = await testModels(database, { home, config: { retries: 0 }, clock: () => new Date(now) });
    room.simulator.control.next({ status: 503, times: 5 });
    for (let count = 0; count < 5; count += 1) await room.models.generate(call());
    expect(room.simulator.control.requests).toHaveLength(5);

    const refused = await room.models.generate(call());
    expect(refused).toMatchObject({ ok: false, error: { code: 'MODEL_UNAVAILABLE' }, bookings: [{ attempts: 0 }] });
    expect(room.simulator.control.requests).toHaveLength(5);
    expect(await room.models.infra.endpoints.list('simulator')).toMatchObject([
      { circuit: 'open' },
      { circuit: 'closed' },
    ]);

    now += 31_000;
    const both = await Promise.all([room.models.generate(call()), room.models.generate(call())]);
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect((await room.models.generate(call())).ok).toBe(true);
  });
});

describe('an answer in a form', () => {
  const Answer = z.object({ route: z.enum(['A', 'B']), assistant_text: z.string() });
  const form = { name: 'Answer', schema: Answer, streamField: 'assistant_text' };

  test('that does not fit is sent back once with the reason', async () => {
    const answers = ['{"route":"C","assistant_text":"no"}', '```json\n{"route":"A","assistant_text":"yes"}\n```'];
    control.script(() => ({ text: answers.shift() ?? '' }));
    const announced: string[] = [];
    const outcome = await models.structured(call(), { ...form, announce: async (id) => void announced.push(id) });
    expect(outcome).toMatchObject({ ok: true, value: { value: { route: 'A', assistant_text: 'yes' } } });
    expect(outcome.bookings.map(({ id }) => id)).toEqual([expect.any(String), announced[0]]);
    const repair = JSON.stringify(control.requests[1]?.body);
    expect(repair).toContain('does not fit the schema');
    expect(repair).toContain('route');
  });

  test('that does not fit twice is a violation, with both calls booked', async () => {
    control.script(() => ({ text: 'I would rather not.' }));
    const outcome = await models.structured(call(), form);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'CONTRACT_VIOLATION' } });
    expect(outcome.bookings).toHaveLength(2);
  });

  test('streams its text once, though it was asked for twice', async () => {
    const answers = ['{"assistant_text":"hello","route":"C"}', '{"assistant_text":"hello!","route":"A"}'];
    control.script(() => ({ text: answers.shift() ?? '' }));
    let text = '';
    const outcome = await models.structured(call({ onText: (delta) => (text += delta) }), form);
    expect(outcome).toMatchObject({ ok: true, value: { value: { assistant_text: 'hello!' } } });
    expect(text).toBe('hello');
  });

  test('is asked for by json_schema where the model can, and in the system message where it cannot', async () => {
    control.script(() => ({ text: '{"assistant_text":"hello","route":"A"}' }));
    await models.structured(call(), form);
    await models.infra.models.update(modelId, { capabilities: { json_object: true } });
    await models.structured(call({ messages: [{ role: 'system', content: 'Be kind.' }, ...call().messages] }), form);
    const [first, second] = control.requests.map(({ body }) => JSON.stringify(body));
    expect(first).toContain('"response_format":{"type":"json_schema","json_schema":{"name":"Answer"');
    expect(second).toContain('"response_format":{"type":"json_object"}');
    expect(second).toMatch(/"content":"Be kind\..*\\nSchema: Answer\\n\{/);
    await models.infra.models.update(modelId, { capabilities: { json_schema: true, json_object: true } });
  });
});
