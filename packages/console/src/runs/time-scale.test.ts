import { expect, test } from 'vitest';
import { timeScale } from './time-scale.ts';

test('work without a pause is drawn to scale', () => {
  const scale = timeScale([
    { from: 1000, to: 1500 },
    { from: 1500, to: 2000 },
  ]);
  expect([1000, 1250, 2000].map(scale.position)).toEqual([0, 0.25, 1]);
  expect(scale.gaps).toEqual([]);
});

test('an hour of waiting takes no more room than a second of work would want', () => {
  const hour = 3_600_000;
  const scale = timeScale([
    { from: 0, to: 1000 },
    { from: hour, to: hour + 1000 },
  ]);
  expect(scale.gaps).toMatchObject([{ from: 1000, to: hour }]);
  expect(scale.position(1000)).toBeGreaterThan(0.45);
  expect(scale.position(hour)).toBeLessThan(0.55);
  expect(scale.position(hour + 1000)).toBe(1);
});

test('a run whose steps all stand at one instant is still drawn', () => {
  expect(timeScale([{ from: 5, to: 5 }]).position(5)).toBe(0);
  expect(timeScale([]).position(5)).toBe(0);
});
