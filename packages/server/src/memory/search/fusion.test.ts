import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuse } from './fusion.ts';

const value = fc.oneof({ weight: 5, arbitrary: fc.double({ min: -1, max: 50, noNaN: true }) }, fc.constant(Number.NaN));
const signals = fc.integer({ min: 0, max: 30 }).chain((size) =>
  fc.array(
    fc.record({
      values: fc.array(value, { minLength: size, maxLength: size }),
      floor: fc.constantFrom(0, undefined),
    }),
    { minLength: 1, maxLength: 4 },
  ),
);

test('a fused score is between 0 and 1, whatever the signals', () => {
  fc.assert(
    fc.property(signals, (given) => {
      for (const score of fuse(given)) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1 + 1e-12);
      }
    }),
  );
});

test('whoever is best in every signal scores 1, and better in all is never worse', () => {
  fc.assert(
    fc.property(signals, (given) => {
      const scores = fuse(given);
      const of = (at: number) => given.map(({ values }) => values[at] ?? Number.NaN);
      for (const a of scores.keys()) {
        for (const b of scores.keys()) {
          if (of(a).every((mine, signal) => mine >= (of(b)[signal] ?? Number.NaN))) {
            expect(scores[a]).toBeGreaterThanOrEqual((scores[b] ?? 0) - 1e-12);
          }
        }
      }
    }),
  );
  expect(fuse([{ values: [1, 3, 2], floor: 0 }, { values: [0.2, 0.9, 0.4] }])[1]).toBe(1);
});

test('a memory without a vector is judged by its words alone', () => {
  const words = { values: [4, 2], floor: 0 };
  expect(fuse([words, { values: [Number.NaN, 0.5] }])).toEqual([1, 0.75]);
});

test('where nothing tells the candidates apart, words count for nothing and vectors for all', () => {
  expect(fuse([{ values: [0, 0], floor: 0 }])).toEqual([0, 0]);
  expect(fuse([{ values: [0.4] }])).toEqual([1]);
});
