import { createAlibaba } from '@ai-sdk/alibaba';
import { createDeepSeek } from '@ai-sdk/deepseek';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../index.ts';
import { type Completion, complete, post, say, stream, textOfChunks, type WireUsage } from '../testing/chat.ts';

let simulator: Simulator;
let deepseek: string;
let dashscope: string;

beforeAll(async () => {
  simulator = await startSimulator();
  deepseek = `${simulator.url}/deepseek/v1`;
  dashscope = `${simulator.url}/dashscope/v1`;
});
afterAll(() => simulator.close());

const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });
const usageOf = (completion: Completion): WireUsage => {
  if (!completion.usage) throw new Error('no usage');
  return completion.usage;
};

describe('both dialects', () => {
  test.each(['/deepseek/v1', '/deepseek', '/dashscope/v1', '/dashscope', '/dashscope/compatible-mode/v1', '/v1'])(
    '%s/chat/completions answers',
    async (base) => {
      const completion = await complete(`${simulator.url}${base}`, say('hello'));
      expect(completion.choices[0]?.message).toMatchObject({
        role: 'assistant',
        content: expect.stringContaining('Hello'),
      });
      expect(completion.choices[0]?.finish_reason).toBe('stop');
    },
  );

  test('a stream brings the same text in several pieces, none of which cuts a character in two', async () => {
    const request = say('reply with 🙂🙃🙂🙃🙂🙃🙂🙃你好');
    const whole = (await complete(deepseek, request)).choices[0]?.message.content;
    for (const url of [deepseek, dashscope]) {
      const { chunks, done, response } = await stream(url, request);
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      expect(done).toBe(true);
      expect(textOfChunks(chunks)).toBe(whole);
      expect(chunks.filter((chunk) => chunk.choices[0]?.delta.content).length).toBeGreaterThan(1);
      expect(chunks.every((chunk) => (chunk.choices[0]?.delta.content ?? '').isWellFormed())).toBe(true);
      expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    }
  });

  test('tool calls come in pieces that belong together by their index', async () => {
    const request = { ...say('bench: 2 tools in 1 turn'), tools: [tool('project_cli'), tool('finish')] };
    for (const url of [deepseek, dashscope]) {
      const { chunks } = await stream(url, request);
      const calls = new Map<number, { id: string; name: string; arguments: string }>();
      for (const delta of chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? [])) {
        const call = calls.get(delta.index) ?? { id: delta.id ?? '', name: delta.function.name ?? '', arguments: '' };
        calls.set(delta.index, { ...call, arguments: call.arguments + delta.function.arguments });
      }
      expect([...calls.values()].map((call) => JSON.parse(call.arguments).method)).toEqual(['read', 'read']);
      expect(new Set([...calls.values()].map((call) => call.id)).size).toBe(2);
      expect([...calls.values()].every((call) => call.name === 'project_cli' && call.id !== '')).toBe(true);
      expect(chunks.some((chunk) => chunk.choices[0]?.finish_reason === 'tool_calls')).toBe(true);
    }
  });

  test.each([
    ['a model that reasons', { model: 'deepseek-reasoner' }, true],
    ['a model that is pro', { model: 'deepseek-v4-pro' }, true],
    ['DeepSeek’s switch', { thinking: { type: 'enabled' } }, true],
    ['DashScope’s switch', { enable_thinking: true }, true],
    ['nothing', {}, false],
    ['a pro model that is told not to', { model: 'deepseek-v4-pro', thinking: { type: 'disabled' } }, false],
  ])('thinking is asked for by %s', async (_how, more, thinks) => {
    const completion = await complete(deepseek, say('hello', more));
    expect(typeof completion.choices[0]?.message.reasoning_content === 'string').toBe(thinks);
    expect((completion.usage?.completion_tokens_details?.reasoning_tokens ?? 0) > 0).toBe(thinks);
    expect('completion_tokens_details' in usageOf(completion)).toBe(thinks);
    const { chunks } = await stream(deepseek, say('hello', more));
    expect(chunks.some((chunk) => chunk.choices[0]?.delta.reasoning_content)).toBe(thinks);
  });

  test('an answer is cut at max_tokens and says so', async () => {
    const completion = await complete(deepseek, say('bench: 50 tokens', { max_tokens: 10 }));
    expect(completion.choices[0]?.finish_reason).toBe('length');
    expect(usageOf(completion).completion_tokens).toBe(10);
  });

  test('`bench: n tokens` is n tokens long', async () => {
    expect(usageOf(await complete(deepseek, say('bench: 500 tokens'))).completion_tokens).toBe(500);
  });

  test('the models are listed, and an unknown path is not found', async () => {
    const headers = { authorization: 'Bearer sim-test' };
    const models = (await (await fetch(`${deepseek}/models`, { headers })).json()) as { data: { id: string }[] };
    expect(models.data.map(({ id }) => id)).toContain('deepseek-flash');
    expect((await fetch(`${deepseek}/nothing`, { headers })).status).toBe(404);
  });

  test('a body that is no chat request is refused with the field', async () => {
    const response = await post(`${deepseek}/chat/completions`, { model: 'deepseek-flash' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('messages') } });
  });
});

describe('keys', () => {
  test.each([
    ['none', {}, 401],
    ['one of another vendor', { authorization: 'Bearer sk-123' }, 401],
    ['sim-invalid', { authorization: 'Bearer sim-invalid' }, 401],
    ['sim-empty', { authorization: 'Bearer sim-empty' }, 402],
    ['any other of the simulator', { authorization: 'Bearer sim-whatever' }, 200],
  ])('%s', async (_name, headers, status) => {
    for (const url of [deepseek, dashscope]) {
      const response = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(say('hello')),
      });
      expect(response.status).toBe(status);
      await response.arrayBuffer();
    }
  });

  test('an empty account is worded as DeepSeek words it', async () => {
    const response = await post(`${deepseek}/chat/completions`, say('hello'), { authorization: 'Bearer sim-empty' });
    expect(await response.json()).toEqual({
      error: { message: 'Insufficient Balance', type: 'unknown_error', param: null, code: 'invalid_request_error' },
    });
  });
});

describe('usage', () => {
  test('DeepSeek puts it on the last choice chunk, asked for or not', async () => {
    const { chunks } = await stream(deepseek, say('hello'));
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
    expect(chunks.slice(0, -1).some((chunk) => chunk.usage)).toBe(false);
  });

  test('DashScope puts it into a last chunk without choices, and only if asked for', async () => {
    const asked = await stream(dashscope, say('hello', { stream_options: { include_usage: true } }));
    expect(asked.chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(asked.chunks.slice(0, -1).every((chunk) => chunk.usage === null)).toBe(true);
    const unasked = await stream(dashscope, say('hello'));
    expect(unasked.chunks.some((chunk) => chunk.usage)).toBe(false);
    expect(unasked.chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
  });

  test('a prompt that begins like an earlier one of the same key is partly a hit, in blocks of 64', async () => {
    const system = { role: 'system', content: '规则'.repeat(200) };
    const ask = (content: string, key: string) =>
      complete(
        deepseek,
        { model: 'deepseek-flash', messages: [system, { role: 'user', content }] },
        { authorization: `Bearer ${key}` },
      );
    const first = usageOf(await ask('你好', 'sim-cache-a'));
    expect(first.prompt_cache_hit_tokens).toBe(0);
    const second = usageOf(await ask('我是谁', 'sim-cache-a'));
    expect(second.prompt_cache_hit_tokens).toBe(384);
    expect(second.prompt_cache_miss_tokens).toBe(second.prompt_tokens - 384);
    expect(second.prompt_tokens_details.cached_tokens).toBe(384);
    expect(usageOf(await ask('我是谁', 'sim-cache-b')).prompt_cache_hit_tokens).toBe(0);
  });

  test('an explicit cache is written once and then read, under DashScope only', async () => {
    const marked = [{ type: 'text', text: '规则'.repeat(50), cache_control: { type: 'ephemeral' } }];
    const messages = [
      { role: 'system', content: marked },
      { role: 'user', content: '你好' },
    ];
    const ask = async (url: string) =>
      usageOf(await complete(url, { model: 'qwen-plus', messages })).prompt_tokens_details;
    const written = await ask(dashscope);
    expect(written).toMatchObject({ cache_type: 'ephemeral', cached_tokens: 0 });
    expect(written.cache_creation_input_tokens).toBeGreaterThan(100);
    expect(await ask(dashscope)).toEqual({
      cache_type: 'ephemeral',
      cached_tokens: written.cache_creation_input_tokens,
      cache_creation_input_tokens: 0,
    });
    const implicit = await ask(deepseek);
    expect(implicit).not.toHaveProperty('cache_type');
    expect(implicit.cached_tokens % 64).toBe(0);
  });

  test('the sums always hold, and no cost is ever told', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            role: fc.constantFrom('user', 'assistant', 'system'),
            content: fc.string({ unit: 'grapheme', maxLength: 300 }),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        fc.constantFrom('deepseek-flash', 'deepseek-v4-pro'),
        fc.boolean(),
        async (messages, model, streamed) => {
          for (const url of [deepseek, dashscope]) {
            const opening = { role: 'system', content: '规则'.repeat(100) };
            const body = { model, messages: [opening, ...messages], stream_options: { include_usage: true } };
            const usage = streamed
              ? (await stream(url, body)).chunks.findLast((chunk) => chunk.usage)?.usage
              : (await complete(url, body)).usage;
            if (!usage) throw new Error('no usage');
            const cached = usage.prompt_tokens_details.cached_tokens;
            expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
            expect(cached).toBeLessThanOrEqual(usage.prompt_tokens);
            expect(usage.completion_tokens_details?.reasoning_tokens ?? 0).toBeLessThanOrEqual(usage.completion_tokens);
            expect(JSON.stringify(usage)).not.toContain('cost');
            if (url !== deepseek) continue;
            expect((usage.prompt_cache_hit_tokens ?? Number.NaN) + (usage.prompt_cache_miss_tokens ?? Number.NaN)).toBe(
              usage.prompt_tokens,
            );
            expect(usage.prompt_cache_hit_tokens).toBe(cached);
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('rules of the vendors', () => {
  const earlier = (reasoning: object) => [
    { role: 'user', content: 'bench: 2 tools' },
    {
      role: 'assistant',
      content: '',
      ...reasoning,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'project_cli', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '{"status":"success"}' },
  ];

  test('DeepSeek wants earlier reasoning back where tools are used', async () => {
    const body = { model: 'deepseek-v4-pro', tools: [tool('project_cli')] };
    const refused = await post(`${deepseek}/chat/completions`, { ...body, messages: earlier({}) });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('reasoning_content'), code: 'invalid_request_error' },
    });
    await complete(deepseek, { ...body, messages: earlier({ reasoning_content: 'I thought' }) });
    await complete(deepseek, { ...body, model: 'deepseek-flash', messages: earlier({}) });
    await complete(dashscope, { ...body, messages: earlier({}) });
  });

  test('DashScope refuses json_object where no message speaks of JSON', async () => {
    const body = say('hello', { response_format: { type: 'json_object' } });
    expect((await post(`${dashscope}/chat/completions`, body)).status).toBe(400);
    await complete(dashscope, say('hello, as JSON', { response_format: { type: 'json_object' } }));
    await complete(deepseek, body);
  });
});

describe('the same request', () => {
  /** Everything but what a vendor makes up anew each time. */
  const withoutIds = (text: string) =>
    text.replace(/"(?:id|created)":(?:"[^"]*"|\d+)/g, '""').replace(/call_\d+_[\w-]+/g, 'call');

  test('gets the same bytes, on any simulator that was asked the same before', async () => {
    const other = await startSimulator();
    const messages = fc.constantFrom(
      '你好',
      'what is 2+3',
      '帮我查一下我下周的日程',
      'bench: 2 tools',
      'purple monkey',
      '明天下午三点和李雷开会',
    );
    await fc.assert(
      fc.asyncProperty(
        messages,
        fc.boolean(),
        fc.constantFrom('deepseek', 'dashscope'),
        async (message, stream, dialect) => {
          const body = say(message, { stream, tools: [tool('project_cli'), tool('finish')] });
          const bytes = async (url: string) =>
            withoutIds(
              await (
                await post(`${url}/${dialect}/v1/chat/completions`, body, { authorization: 'Bearer sim-same' })
              ).text(),
            );
          // The second time the whole prompt is in the cache of both.
          expect((await bytes(simulator.url)).length).toBe((await bytes(other.url)).length);
          expect(await bytes(simulator.url)).toBe(await bytes(other.url));
        },
      ),
      { numRuns: 20 },
    );
    await other.close();
  });
});

describe('the providers that Kith calls it with', () => {
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'bench: 2 tools in 1 turn' }] }];
  const tools = ['project_cli', 'finish'].map((name) => ({
    type: 'function' as const,
    name,
    inputSchema: { type: 'object' as const },
  }));

  test.each(['deepseek', 'alibaba'])('%s reads text, tool calls, reasoning and usage', async (vendor) => {
    const model =
      vendor === 'deepseek'
        ? createDeepSeek({ apiKey: 'sim-sdk', baseURL: deepseek }).languageModel('deepseek-v4-pro')
        : createAlibaba({ apiKey: 'sim-sdk', baseURL: dashscope }).languageModel('qwen3-pro');
    const generated = await model.doGenerate({ prompt, tools });
    expect(generated.content.map(({ type }) => type).sort()).toEqual(['reasoning', 'tool-call', 'tool-call']);
    expect(generated.usage.inputTokens.total).toBeGreaterThan(0);
    const { stream: parts } = await model.doStream({ prompt, tools });
    const types: string[] = [];
    for await (const part of parts) {
      types.push(part.type);
      if (part.type === 'finish') expect(part.usage.outputTokens.total).toBe(generated.usage.outputTokens.total);
    }
    expect(types.filter((type) => type === 'tool-call')).toHaveLength(2);
    expect(types).toContain('reasoning-delta');
    expect(types).not.toContain('error');
  });
});
