import { expect, test } from 'vitest';
import { addDecimals } from './decimal.ts';

test.each([
  [[], '0'],
  [['0.1', '0.2'], '0.3'],
  [['0.000000000001', '12'], '12.000000000001'],
  [['1.50', '0.50'], '2'],
  [['-0.25', '0.1'], '-0.15'],
])('%j add up to %s, to the last digit', (amounts, sum) => {
  expect(addDecimals(amounts)).toBe(sum);
});

test('a sum with an unknown part is unknown, not smaller', () => {
  expect(addDecimals(['1', null])).toBeNull();
});
