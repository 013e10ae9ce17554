import { expect, test } from 'vitest';
import { prefixCache } from './prefix-cache.ts';

const blocks = (...characters: string[]) => characters.map((character) => character.repeat(64)).join('');

test('whole blocks that were seen before as a prefix are hits', () => {
  const cache = prefixCache();
  expect(cache.read('a', blocks('一', '二', '三'))).toEqual({ tokens: 192, cached: 0 });
  expect(cache.read('a', `${blocks('一', '二')}四`)).toEqual({ tokens: 129, cached: 128 });
  expect(cache.read('a', blocks('一').slice(1))).toEqual({ tokens: 63, cached: 0 });
});

test('the same block elsewhere, or of another scope, is no hit', () => {
  const cache = prefixCache();
  cache.read('a', blocks('一', '二'));
  expect(cache.read('a', blocks('二', '一')).cached).toBe(0);
  expect(cache.read('b', blocks('一', '二')).cached).toBe(0);
});

test('a prefix whose beginning was forgotten is no hit', () => {
  const cache = prefixCache(3);
  cache.read('a', blocks('一', '二', '三'));
  cache.read('a', blocks('四'));
  expect(cache.read('a', blocks('一', '二', '三')).cached).toBe(0);
});
