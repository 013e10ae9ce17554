import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pieces } from './chunks.ts';

test('pieces, joined, are the text again; none is too long and none cuts a character in two', () => {
  const text = fc.array(fc.constantFrom(...'a你😀。.! \n'), { maxLength: 2000 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 500 }), (whole, size) => {
      const parts = [...pieces(whole, size)];
      expect(parts.join('')).toBe(whole);
      for (const part of parts) {
        expect(part.length).toBeLessThanOrEqual(size);
        expect(part.isWellFormed()).toBe(true);
      }
    }),
  );
});

test('cuts between paragraphs rather than sentences, and between sentences rather than words', () => {
  const sentence = 'A sentence of some length. ';
  expect([...pieces(`${sentence.repeat(3)}\n\n${sentence.repeat(3)}`, 130)]).toEqual([
    `${sentence.repeat(3)}\n\n`,
    sentence.repeat(3),
  ]);
  expect([...pieces('今天天气很好。我们去公园，散步。', 10)]).toEqual(['今天天气很好。', '我们去公园，散步。']);
});
