import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileSamples, hostileText } from '../../test/hostile-text.ts';
import { asDataLine } from './data-line.ts';

const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 });

test('a line of data parses back to exactly the value', () => {
  fc.assert(
    fc.property(fc.oneof(json, hostileText, fc.dictionary(hostileText, hostileText)), (value) => {
      const line = asDataLine(JSON.parse(JSON.stringify(value)));
      expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 300 },
  );
});

test('nothing in a text breaks the line, hides in it or closes it', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const line = asDataLine([{ [text]: text }]);
      const texts = line.slice('[{'.length, -'}]'.length);
      expect(texts).not.toMatch(/[#`<>[\]{}]/);
      expect(texts).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    }),
  );
});

test('letters of every script, emoji and ordinary punctuation stay readable', () => {
  const text = '张三，数据部（R&D）😀 – João, Ωmega; ありがとう! Đặng 50% $5 a@b.cn 1+1=2 “引号” \u3000全角';
  expect(asDataLine(text)).toBe(`"${text}"`);
});

test('markers are written as escapes', () => {
  expect(asDataLine('# `<a>` [b] {c}\u2028\u202e\u200b\u{e0041}\n')).toBe(
    '"\\u0023 \\u0060\\u003ca\\u003e\\u0060 \\u005bb\\u005d \\u007bc\\u007d\\u2028\\u202e\\u200b\\udb40\\udc41\\n"',
  );
  for (const sample of hostileSamples)
    expect(asDataLine(sample).split(/\r\n|[\n\r\u2028\u2029\u0085]/)).toHaveLength(1);
});

test('a field that is not there leaves nothing behind', () => {
  const value: { a: number; b?: string } = { a: 1, b: undefined };
  expect(asDataLine(JSON.parse(JSON.stringify(value)))).toBe('{"a":1}');
});
