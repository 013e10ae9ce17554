import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cut, fingerprintOf, storable } from './text.ts';

test('text is cut between characters, never inside one', () => {
  expect(cut('😀😀😀', 2)).toBe('😀…');
  expect(cut('杭州西湖', 4)).toBe('杭州西湖');
  expect(cut('abc', 0)).toBe('');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, limit) => {
      const short = cut(text, limit);
      expect([...short].length).toBeLessThanOrEqual(limit);
      expect(short.isWellFormed()).toBe(true);
      if ([...text].length <= limit) expect(short).toBe(text);
    }),
  );
});

test('case, width, spaces and a closing mark do not make another statement', () => {
  const same = fingerprintOf('Likes green tea');
  expect(fingerprintOf(' likes  GREEN tea. ')).toBe(same);
  expect(fingerprintOf('Ｌikes green tea！')).toBe(same);
  expect(fingerprintOf('喜欢喝茶。')).toBe(fingerprintOf('喜欢喝茶'));
});

test('what stands inside a statement does', () => {
  const different = ['Uses C', 'Uses C++', 'Uses C#', 'Uses, C', 'Use sC'].map(fingerprintOf);
  expect(new Set(different).size).toBe(different.length);
});

test('what the database cannot keep is left out', () => {
  expect(storable('a\u0000b')).toBe('ab');
  expect(storable('a\ud83d')).toBe('a\ufffd');
});
