import type { ModelCategory, ResponseParser, VendorAdapter } from '@kith/protocol';
import { describe, expect, test } from 'vitest';
import { parserFor } from './compile.ts';
import { PRESETS } from './presets.ts';

function parser(preset: string, category: ModelCategory = 'text', more: Partial<ResponseParser> = {}) {
  const made = parserFor({ adapter: 'http', category, requestTemplate: null, responseParser: { preset, ...more } });
  if (!made) throw new Error('no parser');
  return made;
}

describe('built-in parsers', () => {
  test.each(Object.keys(PRESETS))('%s compiles', (preset) => {
    expect(parser(preset).request({}, 'secret-key').headers.authorization).toBe('Bearer secret-key');
  });

  test.each(['openai-chat', 'deepseek-chat', 'dashscope-chat'])(
    '%s reads an answer with thoughts and tool calls',
    (preset) => {
      const usage = { prompt_tokens: 495, completion_tokens: 144, prompt_cache_hit_tokens: 320 };
      const body = {
        choices: [
          {
            message: {
              content: null,
              reasoning_content: 'hm',
              tool_calls: [{ id: 'c1', type: 'function', function: { name: 'finish', arguments: '{"a":1}' } }],
            },
            finish_reason: 'tool_calls',
          },
        ],
        usage,
      };
      expect(parser(preset).text(body)).toEqual({
        text: '',
        reasoning: 'hm',
        tool_calls: [{ id: 'c1', name: 'finish', arguments: '{"a":1}' }],
        finish_reason: 'tool_calls',
        usage,
      });
    },
  );

  test("thinking is switched in each vendor's own words, or not at all", () => {
    const body = (preset: string, thinking: boolean | null) =>
      JSON.parse(
        parser(preset).request({ model: 'm', wire_messages: [], stream: false, thinking }, undefined).body ?? '',
      );
    expect(body('deepseek-chat', true).thinking).toEqual({ type: 'enabled' });
    expect(body('deepseek-chat', false).thinking).toEqual({ type: 'disabled' });
    expect(body('deepseek-chat', null)).not.toHaveProperty('thinking');
    expect(body('dashscope-chat', false).enable_thinking).toBe(false);
    expect(body('openai-chat', true)).toEqual({ model: 'm', messages: [], stream: false });
  });

  test('Ollama answers with objects as arguments and counts under other names', () => {
    const body = {
      message: { content: '', thinking: 'hm', tool_calls: [{ function: { name: 'look', arguments: { a: 1 } } }] },
      done_reason: 'stop',
      prompt_eval_count: 26,
      eval_count: 298,
    };
    expect(parser('ollama-chat').text(body)).toEqual({
      text: '',
      reasoning: 'hm',
      tool_calls: [{ id: 'call_0', name: 'look', arguments: '{"a":1}' }],
      finish_reason: 'stop',
      usage: { prompt_tokens: 26, completion_tokens: 298 },
    });
    const { stream } = parser('ollama-chat');
    expect(stream?.piece({ message: { content: '你' }, done: false })).toMatchObject({ text: '你', usage: null });
    expect(stream?.piece({ message: { content: '' }, done: true, prompt_eval_count: 1, eval_count: 2 })).toMatchObject({
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    });
  });

  test('vectors come in the order of their texts', () => {
    const openai = {
      data: [
        { index: 1, embedding: [2] },
        { index: 0, embedding: [1] },
      ],
      usage: { total_tokens: 3 },
    };
    expect(parser('openai-embeddings', 'embedding').vectors(openai)).toEqual({
      vectors: [[1], [2]],
      usage: { total_tokens: 3 },
    });
    const native = {
      output: {
        embeddings: [
          { text_index: 1, embedding: [2] },
          { text_index: 0, embedding: [1] },
        ],
      },
    };
    expect(parser('dashscope-embeddings', 'embedding').vectors(native)).toEqual({ vectors: [[1], [2]], usage: null });
  });

  test('pictures come as links or as data, with their number', () => {
    const openai = { data: [{ b64_json: 'aGk=' }, { url: 'https://x/y.png' }] };
    expect(parser('openai-images', 'text-to-image').images(openai)).toEqual({
      images: [{ base64: 'aGk=' }, { url: 'https://x/y.png' }],
      usage: { images: 2 },
    });
    const atOnce = {
      output: { choices: [{ message: { content: [{ image: 'https://x/1.png' }] } }] },
      usage: { image_count: 1 },
    };
    expect(parser('dashscope-image', 'text-to-image').images(atOnce).images).toEqual([{ url: 'https://x/1.png' }]);
  });

  test("a task goes from waiting to done, or fails with the vendor's reason", () => {
    const { task, videos } = parser('dashscope-video-task', 'text-to-video');
    const state = (output: object) => task?.state({ output: { task_id: 't1', ...output } });
    expect(state({ task_status: 'PENDING' })).toMatchObject({ id: 't1', outcome: 'running' });
    expect(state({ task_status: 'SUCCEEDED' })).toMatchObject({ outcome: 'succeeded', failure: undefined });
    expect(state({ task_status: 'FAILED', code: 'DataInspectionFailed', message: 'no' })).toMatchObject({
      outcome: 'failed',
      failure: { message: expect.stringContaining('DataInspectionFailed: no') },
    });
    expect(task?.poll({ task_id: 'a/b' }, 'k')).toMatchObject({ method: 'GET', path: '/tasks/a%2Fb', body: undefined });
    expect(videos({ output: { video_url: 'https://x/v.mp4' }, usage: { duration: 5, SR: 720 } })).toEqual({
      videos: [{ url: 'https://x/v.mp4' }],
      usage: { duration: 5, SR: 720 },
    });
  });
});

describe('an answer that is not what the parser expects', () => {
  test.each([
    ['no vectors', () => parser('openai-embeddings').vectors({ data: [] })],
    ['another type', () => parser('openai-chat').text({ choices: [{ message: { content: 7 } }] })],
    ['a function that does not like its argument', () => parser('openai-embeddings').vectors({ data: 'text' })],
    ['no task', () => parser('dashscope-video-task').task?.state({ output: {} })],
    ['no picture', () => parser('dashscope-image-task').images({ output: { results: [{ code: 'x' }] } })],
  ])('is unreadable: %s', (_name, read) => {
    expect(read).toThrow(expect.objectContaining({ kind: 'unreadable' }));
  });

  test('is the error that it says it is', () => {
    expect(() => parser('openai-chat').text({ error: { code: 429, message: 'slow down' } })).toThrow(
      expect.objectContaining({ kind: 'limited', status: 429 }),
    );
    expect(() => parser('dashscope-image').images({ code: 'InvalidApiKey', message: 'no' })).toThrow(/InvalidApiKey/);
  });
});

describe('which parser a model has', () => {
  const of = (adapter: VendorAdapter, category: ModelCategory, responseParser: ResponseParser | null = null) =>
    parserFor({ adapter, category, requestTemplate: null, responseParser });

  test('chat of a known vendor needs none, everything else has one', () => {
    for (const adapter of ['deepseek', 'alibaba', 'openai-compatible'] as const)
      expect(of(adapter, 'text')).toBeUndefined();
    expect(of('http', 'text')).toBeDefined();
    expect(of('deepseek', 'text', { text: 'x' })).toBeDefined();
    expect(of('alibaba', 'embedding')?.request({ model: 'm', input: ['a'] }, 'k').path).toBe('/embeddings');
    expect(of('alibaba', 'text-to-image')?.task).toBeDefined();
    expect(of('openai-compatible', 'text-to-image')?.task).toBeUndefined();
  });
});
