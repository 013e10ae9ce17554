import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldStream } from './field-stream.ts';

/** What is streamed of `text` when it comes in these pieces. */
function streamed(pieces: readonly string[], when?: (partial: Record<string, unknown>) => boolean): string[] {
  const deltas: string[] = [];
  const stream = fieldStream({ field: 'text', when, onText: (delta) => deltas.push(delta) });
  for (const piece of pieces) stream.push(piece);
  return deltas;
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [...places, text.length].map((place, index) => text.slice(index === 0 ? 0 : places[index - 1], place));
}

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', '\\', '\n', '\u2028', '😀', '你', '{', '}', ':', ','),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});
const anyObject = fc
  .dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 })
  .chain((others) =>
    fc.record({ others: fc.constant(others), text: anyText, at: fc.nat({ max: Object.keys(others).length }) }),
  )
  .map(({ others, text, at }) => {
    const entries: [string, unknown][] = Object.entries(others).filter(([name]) => name !== 'text');
    entries.splice(at, 0, ['text', text]);
    return { json: Object.fromEntries(entries), text };
  });
/** The same object, written with more or fewer spaces and escapes. */
const written = fc
  .record({ object: anyObject, spaces: fc.constantFrom(0, 2), escapes: fc.boolean() })
  .map(({ object, spaces, escapes }) => {
    const plain = JSON.stringify(object.json, null, spaces);
    const source = escapes
      ? plain.replace(/[^\x00-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : plain;
    return { source, text: object.text };
  });

describe('the text of a field, streamed out of JSON that is being written', () => {
  test('is what JSON.parse finds in the end, whatever the pieces', () => {
    fc.assert(
      fc.property(written, fc.array(fc.nat({ max: 5000 })), ({ source, text }, cuts) => {
        expect(streamed(cutAt(source, cuts)).join('')).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test('never comes with half a surrogate pair, even where the pieces cut one in two', () => {
    fc.assert(
      fc.property(written, fc.boolean(), ({ source, text }, byUnit) => {
        // A text that has lone halves of its own cannot help showing them.
        fc.pre(text.isWellFormed());
        for (const delta of streamed(byUnit ? source.split('') : [...source])) expect(delta.isWellFormed()).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('is held back until the condition holds of what is complete, then comes at once', () => {
    const direct = (partial: Record<string, unknown>) => partial.route === 'DIRECT';
    expect(streamed(['{"route":"DIRECT","text":"a', 'b"}'], direct)).toEqual(['a', 'b']);
    expect(streamed(['{"text":"a', 'b","route":"DIR', 'ECT"}'], direct)).toEqual(['ab']);
    expect(streamed(['{"route":"OTHER","text":"ab"}'], direct)).toEqual([]);
    expect(streamed(['{"text":"ab","n":[1,{"route":"DIRECT"}]}'], direct)).toEqual([]);
  });

  test('starts behind a fence or a sentence, and ends with the object', () => {
    expect(streamed(['Here:\n```json\n{"text": "a"}\n```\n{"text": "b"}']).join('')).toBe('a');
  });

  test('stops at what is not JSON', () => {
    expect(streamed(['{"text":"a\\qb"}']).join('')).toBe('a');
    expect(streamed(['{"text":"a\\u12zzb"}']).join('')).toBe('a');
    expect(streamed(['{"other":tru,"text":"a"}']).join('')).toBe('');
  });

  test('takes time in proportion to its length, also in tiny pieces', () => {
    const source = JSON.stringify({ other: 'x'.repeat(200_000), text: '好'.repeat(200_000) });
    const time = (pieces: string[]) => {
      const started = process.cpuUsage();
      expect(streamed(pieces).join('').length).toBe(200_000);
      const { user } = process.cpuUsage(started);
      return user;
    };
    const tenth = source.match(/[\s\S]{1,3}/g) ?? [];
    time(tenth);
    expect(time(tenth)).toBeLessThan(2_000_000);
  });
});
