import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokensOf } from './tokens.ts';

test('Chinese is cut into words and single characters, English into words', () => {
  expect(tokensOf('我住在杭州')).toEqual(expect.arrayContaining(['我', '杭州', '杭', '州']));
  expect(tokensOf('I work in Hangzhou.')).toEqual(['i', 'work', 'in', 'hangzhou']);
  expect(tokensOf('用iPhone 15拍的')).toEqual(expect.arrayContaining(['iphone', '15', '拍']));
});

test.each([
  ['live', 'lives', 'lived', 'living'],
  ['work', 'works', 'worked', 'working'],
  ['plan', 'plans', 'planned', 'planning'],
  ['city', 'cities'],
  ['study', 'studies', 'studied', 'studying'],
  ['watch', 'watches', 'watched'],
  ['Melanie', 'Melanie’s', "Melanie's"],
  ['nurse', 'nurses'],
])('%s and its forms share a token', (...forms) => {
  const [first, ...others] = forms.map((form) => new Set(tokensOf(form)));
  expect(others.every((tokens) => tokens.intersection(first ?? new Set()).size > 0)).toBe(true);
});

test.each([
  ['need', 'ne'],
  ['this', 'thi'],
  ['bus', 'bu'],
  ['class', 'clas'],
])('%s stays as it is', (word, wrong) => {
  expect(tokensOf(word)).not.toContain(wrong);
});

test('case and width make no difference', () => {
  expect(tokensOf('ＫＩＴＨ Ｖ２')).toEqual(tokensOf('kith v2'));
  expect(tokensOf('ｶﾀｶﾅ')).toEqual(tokensOf('カタカナ'));
});

test('a character that is a word of its own counts once', () => {
  expect(tokensOf('茶')).toEqual(['茶']);
});

test('marks, spaces and emoji are no tokens, and neither is a word without end', () => {
  expect(tokensOf('  ，。!? 🙂\n')).toEqual([]);
  expect(tokensOf(`a ${'x'.repeat(100)} b`)).toEqual(['a', 'b']);
});

test('whatever the text, tokens can be kept in a line with spaces between them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const tokens = tokensOf(text);
      expect(tokens.every((token) => token !== '' && !/[\s\0]/u.test(token) && token.isWellFormed())).toBe(true);
      expect(tokens.join(' ').split(' ').filter(Boolean)).toEqual(tokens);
    }),
  );
});

test('two lines have the tokens of the one and then of the other', () => {
  const text = fc.string({ unit: fc.constantFrom(...'我你他住在杭州茶山水人abc XYZ09.,，。') });
  fc.assert(
    fc.property(text, text, (one, other) => {
      expect(tokensOf(`${one}\n${other}`)).toEqual([...tokensOf(one), ...tokensOf(other)]);
    }),
  );
});
