import { expect, test } from 'vitest';
import { createRate } from './rate.ts';

test('a burst is allowed up to the limit, and then one message at a time as time passes', () => {
  let moment = 0;
  const rate = createRate({ max: 3, windowSeconds: 60 }, () => moment);
  expect([1, 2, 3, 4].map(() => rate.take())).toEqual([true, true, true, false]);
  moment = 19_000;
  expect(rate.take()).toBe(false);
  moment = 21_000;
  expect([1, 2].map(() => rate.take())).toEqual([true, false]);
  moment = 3_600_000;
  expect([1, 2, 3, 4].map(() => rate.take())).toEqual([true, true, true, false]);
});
