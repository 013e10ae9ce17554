import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTokens, cutToTokens } from './tokens.ts';

test.each([
  ['', 0],
  ['你好', 2],
  ['，。', 2],
  ['abcd', 1],
  ['abcde', 2],
  ['你好abc', 3],
  ['abc你好', 3],
  ['🙂🙃🙂🙃🙂', 2],
])('%j is %i tokens', (text, tokens) => expect(countTokens(text)).toBe(tokens));

test('a text cut to its first tokens has that many, and is where the text begins', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat({ max: 60 }), (text, limit) => {
      const cut = cutToTokens(text, limit);
      expect(text.startsWith(cut)).toBe(true);
      expect(countTokens(cut)).toBe(Math.min(limit, countTokens(text)));
    }),
  );
});
