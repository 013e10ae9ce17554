import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from './index.ts';
import { complete, post, say, stream } from './testing/chat.ts';
import { stageMessage } from './testing/play.ts';

let simulator: Simulator;
let deepseek: string;
let dashscope: string;

beforeEach(async () => {
  simulator = await startSimulator({ latency: { keepAliveMs: 20 } });
  deepseek = `${simulator.url}/deepseek/v1`;
  dashscope = `${simulator.url}/dashscope/v1`;
});
afterEach(() => simulator.close());

const chat = (url: string, fault: string, more: object = {}) =>
  post(`${url}/chat/completions`, say('bench: 100 tokens', more), { 'x-simulate': fault });

describe('an error status', () => {
  test.each([401, 402, 429, 500, 503])('%i, worded by each vendor', async (status) => {
    for (const url of [deepseek, dashscope]) {
      const response = await chat(url, String(status));
      expect(response.status).toBe(status);
      expect(response.headers.has('retry-after')).toBe(false);
      expect(await response.json()).toMatchObject({ error: { message: expect.any(String), code: expect.any(String) } });
    }
  });

  test('429 with Retry-After', async () => {
    const response = await chat(deepseek, '429; retry-after=2');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2']);
  });

  test.each([
    ['requests', 429, 'requests list'],
    ['tokens', 429, 'current quota'],
    ['burst', 429, 'increased too quickly'],
    ['arrearage', 400, 'good standing'],
    ['inspection', 400, 'inappropriate'],
  ])('DashScope for the reason of %s', async (reason, status, message) => {
    const response = await chat(dashscope, `status; reason=${reason}`);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(message) } });
  });
});

/** What a reader of the body gets before it breaks. */
async function readUntilBroken(response: Response): Promise<{ text: string; broke: boolean }> {
  let text = '';
  try {
    for await (const part of response.body ?? []) text += Buffer.from(part).toString();
    return { text, broke: false };
  } catch {
    return { text, broke: true };
  }
}
const eventsIn = (text: string) => text.split('\n\n').filter((event) => event.startsWith('data: '));

describe('a broken answer', () => {
  test('a reset in the middle of a stream comes after exactly so many chunks', async () => {
    for (const url of [deepseek, dashscope]) {
      const { text, broke } = await readUntilBroken(await chat(url, 'reset; after=3', { stream: true }));
      expect(broke).toBe(true);
      expect(eventsIn(text)).toHaveLength(3);
    }
  });

  test('a reset before the first chunk leaves nothing', async () => {
    const text = chat(deepseek, 'reset', { stream: true }).then((response) => response.text());
    await expect(text).rejects.toThrow();
  });

  test('a reset of a whole answer leaves half of it', async () => {
    expect((await readUntilBroken(await chat(deepseek, 'reset'))).broke).toBe(true);
  });

  test('an error in the stream is its last event', async () => {
    const { text, broke } = await readUntilBroken(await chat(deepseek, 'error-chunk; after=2', { stream: true }));
    expect(broke).toBe(false);
    expect(eventsIn(text)).toHaveLength(3);
    expect(JSON.parse(eventsIn(text).at(-1)?.slice(6) ?? '')).toMatchObject({
      error: { message: 'Internal server error' },
    });
  });

  test('a stream without usage is otherwise whole', async () => {
    for (const url of [deepseek, dashscope]) {
      const { chunks, done } = await stream(url, say('hello', { stream_options: { include_usage: true } }), {
        'x-simulate': 'no-usage',
      });
      expect(done).toBe(true);
      expect(chunks.some((chunk) => chunk.usage)).toBe(false);
    }
    expect(await complete(deepseek, say('hello'), { 'x-simulate': 'no-usage' })).not.toHaveProperty('usage');
  });

  test('garbage is a 200 that is not JSON', async () => {
    const response = await chat(deepseek, 'garbage');
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow();
    expect(await (await chat(deepseek, 'garbage', { stream: true })).text()).toMatch(/^data: .*<html>/);
  });

  test.each([false, true])(
    'a huge body (stream: %s) is as long as it says, and may be left early',
    async (streamed) => {
      const whole = await (await chat(deepseek, 'huge; megabytes=3', { stream: streamed })).arrayBuffer();
      expect(whole.byteLength).toBeGreaterThan(3_000_000);
      const left = await chat(deepseek, 'huge', { stream: streamed });
      const reader = left.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await complete(deepseek, say('hello'));
    },
  );

  test.each([false, true])('a hang (stream: %s) lasts until the client gives up', async (streamed) => {
    const leaving = new AbortController();
    const waiting = fetch(`${deepseek}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sim-test', 'x-simulate': 'hang' },
      body: JSON.stringify(say('hello', { stream: streamed })),
      signal: leaving.signal,
    });
    // Requests that came later are answered, so the simulator has the first one in hand.
    await complete(deepseek, say('hello'));
    leaving.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });

  test('a stream may hang after its first chunks', async () => {
    const response = await chat(deepseek, 'hang; after=2', { stream: true });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(eventsIn(Buffer.from(first?.value ?? []).toString())).toHaveLength(2);
    await reader?.cancel();
  });

  test('closing the simulator ends what hangs', async () => {
    const response = await chat(deepseek, 'hang; after=1', { stream: true });
    await simulator.close();
    expect((await readUntilBroken(response)).broke).toBe(true);
  });
});

describe('a slow answer', () => {
  test('a waiting stream shows signs of life', async () => {
    const { comments, done } = await stream(deepseek, say('hello'), { 'x-simulate': 'slow; latency=70' });
    expect(comments).toEqual(['keep-alive', 'keep-alive', 'keep-alive']);
    expect(done).toBe(true);
  });

  test('latency and delay between chunks come from the configuration too', async () => {
    const slow = await startSimulator({ latency: { latencyMs: 30, chunkDelayMs: 5 } });
    const started = performance.now();
    const { chunks } = await stream(`${slow.url}/deepseek/v1`, say('hello'));
    // A timer may fire a millisecond early.
    expect(performance.now() - started).toBeGreaterThanOrEqual(28 + (chunks.length - 1) * 4);
    await slow.close();
  });
});

describe('the control', () => {
  test('a fault waits for its request, as often as it is told', async () => {
    simulator.control.next({ status: 429, times: 2, match: { model: 'qwen-plus' } });
    const status = async (model: string) =>
      (await post(`${dashscope}/chat/completions`, say('hello', { model }))).status;
    expect(await status('qwen-max')).toBe(200);
    expect([await status('qwen-plus'), await status('qwen-plus'), await status('qwen-plus')]).toEqual([429, 429, 200]);
  });

  test('faults may wait from the start', async () => {
    const broken = await startSimulator({ faults: [{ status: 503 }] });
    const ask = () => post(`${broken.url}/deepseek/v1/chat/completions`, say('hello'));
    expect([(await ask()).status, (await ask()).status]).toEqual([503, 200]);
    await broken.close();
  });

  test('embeddings and models go wrong as well', async () => {
    simulator.control.next({ status: 500, match: { endpoint: 'embeddings' } });
    const embed = () => post(`${dashscope}/embeddings`, { model: 'text-embedding-v4', input: 'x' });
    expect((await embed()).status).toBe(500);
    simulator.control.next({ kind: 'reset', match: { endpoint: 'embeddings' } });
    await expect(embed()).rejects.toThrow();
    expect((await embed()).status).toBe(200);
  });

  test('a contract is violated so many times, in one stage only', async () => {
    simulator.control.next({ kind: 'violation', times: 2, match: { stage: 'IntentResult' } });
    const ask = async () => {
      const completion = await complete(deepseek, {
        model: 'deepseek-flash',
        messages: [
          { role: 'system', content: 'Schema: IntentResult' },
          { role: 'user', content: stageMessage({ url: '' }, '你好') },
        ],
        response_format: { type: 'json_object' },
      });
      return 'route' in JSON.parse(completion.choices[0]?.message.content ?? '');
    };
    await complete(deepseek, say('hello'));
    expect([await ask(), await ask(), await ask()]).toEqual([false, false, true]);
  });

  test('a script answers in place of the brain, or leaves it to the brain', async () => {
    simulator.control.script(({ prompt }) =>
      prompt.message === 'mine' ? { text: 'scripted', reasoning: 'why not' } : undefined,
    );
    expect((await complete(deepseek, say('mine', { model: 'deepseek-v4-pro' }))).choices[0]?.message).toMatchObject({
      content: 'scripted',
      reasoning_content: 'why not',
    });
    expect((await complete(deepseek, say('hello'))).choices[0]?.message.content).toContain('Hello');
    simulator.control.script(() => ({ toolCalls: [{ name: 'finish', arguments: { status: 'SUCCESS' } }] }));
    expect((await complete(deepseek, say('hello'))).choices[0]?.message.tool_calls?.[0]?.function).toEqual({
      name: 'finish',
      arguments: '{"status":"SUCCESS"}',
    });
    simulator.control.script(() => ({ json: { a: 1 } }));
    expect((await complete(deepseek, say('hello'))).choices[0]?.message.content).toBe('{"a":1}');
    simulator.control.reset();
    expect((await complete(deepseek, say('hello'))).choices[0]?.message.content).toContain('Hello');
  });

  test('requests are kept for assertions, and only so many', async () => {
    const small = await startSimulator({ keepRequests: 2 });
    for (const model of ['a', 'b', 'c']) await complete(`${small.url}/deepseek/v1`, say('hello', { model }));
    expect(small.control.requests.map(({ model }) => model)).toEqual(['b', 'c']);
    expect(small.control.requests[0]).toMatchObject({
      method: 'POST',
      path: '/deepseek/v1/chat/completions',
      endpoint: 'chat',
      dialect: 'deepseek',
      key: 'sim-test',
      stage: 'chat',
      status: 200,
      body: { messages: [{ role: 'user', content: 'hello' }] },
    });
    await small.close();
  });

  test('a header that says nothing known does nothing', async () => {
    expect((await chat(deepseek, 'thunderstorm; after=nine')).status).toBe(200);
  });
});
