import { describe, expect, test } from 'vitest';
import { chatChunkReader } from './chat-chunks.ts';

function read(chunks: readonly unknown[]) {
  const tokens: string[] = [];
  const reader = chatChunkReader((kind, delta) => tokens.push(`${kind}:${delta}`));
  for (const chunk of chunks) reader.push(typeof chunk === 'string' ? chunk : JSON.stringify(chunk));
  return { answer: reader.finish(), tokens };
}
const delta = (fields: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason: finish }],
});
const stop = delta({}, 'stop');
const tool = (fields: object) => delta({ tool_calls: [fields] });

describe('the chunks of a stream', () => {
  test('make an answer, with usage wherever it rides', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2 };
    const expected = { text: 'ab', reasoning: 'hm', finishReason: 'stop', usage };
    const words = [
      delta({ role: 'assistant' }),
      delta({ reasoning_content: 'hm' }),
      delta({ content: 'a' }),
      delta({ content: 'b' }),
    ];
    const deepseek = read([...words, { ...stop, usage }, '[DONE]']);
    const dashscope = read([...words, stop, { choices: [], usage }, '[DONE]']);
    expect(deepseek.answer).toMatchObject(expected);
    expect(dashscope.answer).toMatchObject(expected);
    expect(deepseek.tokens).toEqual(['reasoning:hm', 'text:a', 'text:b']);
  });

  test('put tool calls together, by index, by id, or by their order', () => {
    const begin = (index: number | undefined, id: string, name: string) =>
      tool({ index, id, function: { name, arguments: '' } });
    const more = (index: number | undefined, text: string) =>
      tool({ index, id: '', function: { name: '', arguments: text } });
    const expected = [
      { id: 'a', name: 'one', arguments: '{"x":1}' },
      { id: 'b', name: 'two', arguments: '{}' },
    ];
    const byIndex = [begin(0, 'a', 'one'), begin(1, 'b', 'two'), more(0, '{"x"'), more(1, '{}'), more(0, ':1}'), stop];
    expect(read(byIndex).answer.toolCalls).toEqual(expected);
    const whole = [
      tool({ id: 'a', function: { name: 'one', arguments: '{"x":1}' } }),
      tool({ id: 'b', function: { name: 'two', arguments: '{}' } }),
    ];
    expect(read([...whole, stop]).answer.toolCalls).toEqual(expected);
    const unnamed = [tool({ index: 0, function: { name: 'one', arguments: '{}' } }), stop];
    expect(read(unnamed).answer.toolCalls).toEqual([{ id: 'call_0', name: 'one', arguments: '{}' }]);
  });

  test('end with an error where one of them is an error, whatever comes after it', () => {
    const error = { error: { message: 'Server overloaded', code: 'overloaded_error' } };
    expect(() => read([delta({ content: 'a' }), error, stop])).toThrow(
      expect.objectContaining({
        kind: 'unavailable',
        status: 503,
        message: expect.stringContaining('Server overloaded'),
      }),
    );
  });

  test('that just stop are a broken connection', () => {
    expect(() => read([delta({ content: 'a' })])).toThrow(expect.objectContaining({ kind: 'unavailable' }));
    expect(read([delta({ content: 'a' }), '[DONE]']).answer.text).toBe('a');
    expect(read([delta({ content: 'a' }), stop]).answer.text).toBe('a');
  });

  test('that are no JSON objects are unreadable, and fields of another type count as absent', () => {
    for (const chunk of ['not json', '[1]', 'null']) {
      expect(() => read([chunk])).toThrow(expect.objectContaining({ kind: 'unreadable' }));
    }
    const odd = [
      { choices: 'x' },
      { choices: [null] },
      delta({ content: 7, tool_calls: [null, 'x'] }),
      { usage: 'much' },
      stop,
    ];
    expect(read(odd).answer).toEqual({ text: '', reasoning: '', toolCalls: [], finishReason: 'stop', usage: null });
  });
});
