import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestPositions } from './best.ts';

test('the best are those that sorting everything would put first', () => {
  const score = fc.oneof(fc.double({ noNaN: true, min: -5, max: 5 }), fc.constantFrom(0, 1, 2, Number.NaN));
  fc.assert(
    fc.property(fc.array(score, { maxLength: 200 }), fc.nat(50), (list, count) => {
      const scores = Float64Array.from(list);
      const sorted = [...scores.keys()]
        .filter((at) => (scores[at] ?? 0) > 0)
        .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || b - a);
      expect(bestPositions(scores, count)).toEqual(sorted.slice(0, count));
    }),
  );
});
