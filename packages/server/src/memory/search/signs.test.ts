import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestPositions } from './best.ts';
import type { DocumentSource } from './document.ts';
import { signScores, signsOf } from './signs.ts';
import { advance, emptySnapshot } from './snapshot.ts';

const vector = (dimensions: number) =>
  fc
    .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
    .map((values) => Float32Array.from(values));

const documentOf = (id: string, text: Float32Array, both: Float32Array): [string, DocumentSource] => [
  id,
  { id, kind: 'turn', terms: ['x'], contextTerms: [], signs: { space: 'model', bits: signsOf(text, both) } },
];

test('a score is the sum of the query, each dimension with the sign that the memory has there', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }).chain((size) => fc.tuple(vector(size), vector(size), vector(size))),
      ([text, both, query]) => {
        const snapshot = advance(emptySnapshot('e'), new Map([documentOf('a', text, both)]), 1);
        const agreement = (values: Float32Array) =>
          values.reduce((sum, value, at) => sum + (value > 0 ? 1 : -1) * (query[at] ?? 0), 0);
        const scores = signScores(snapshot, 'model', query);
        expect(scores.text[0]).toBeCloseTo(agreement(text), 4);
        expect(scores.both[0]).toBeCloseTo(agreement(both), 4);
      },
    ),
  );
});

test('memories of another model, of another size or that are gone have no score', () => {
  const values = Float32Array.from([1, -1, 1]);
  const added = ['a', 'b'].map((id) => documentOf(id, values, values));
  const snapshot = advance(emptySnapshot('e'), new Map(added), 1);
  expect([...signScores(snapshot, 'other', values).text]).toEqual([Number.NaN, Number.NaN]);
  expect([
    ...signScores(
      snapshot,
      'model',
      Float32Array.from({ length: 9 }, () => 1),
    ).text,
  ]).toEqual([Number.NaN, Number.NaN]);
  const many = Array.from({ length: 300 }, (_, at) => documentOf(`m${at}`, values, values));
  const later = advance(advance(snapshot, new Map(many), 2), new Map([['a', undefined]]), 3);
  const { text } = signScores(later, 'model', values);
  expect([text[0], text[1]]).toEqual([Number.NaN, 3]);
});

test('among many vectors, the nearest are among those that the signs choose', () => {
  const random = seeded(7);
  const gauss = () => Array.from({ length: 6 }, random).reduce((sum, value) => sum + value, -3);
  const topics = Array.from({ length: 50 }, () => Float32Array.from({ length: 128 }, gauss));
  const near = (topic: Float32Array) => topic.map((value) => value + gauss());
  const vectors = Array.from({ length: 5000 }, (_, at) => near(topics[at % 50] ?? new Float32Array(128)));
  const added = vectors.map((values, at) => documentOf(String(at), values, values));
  const snapshot = advance(emptySnapshot('e'), new Map(added), 1);
  let found = 0;
  for (const topic of topics) {
    const query = near(topic);
    const cosines = Float64Array.from(vectors, (values) => cosine(values, query));
    const chosen = new Set(bestPositions(signScores(snapshot, 'model', query).text, 80, Number.NEGATIVE_INFINITY));
    found += bestPositions(cosines, 10, Number.NEGATIVE_INFINITY).filter((at) => chosen.has(at)).length;
  }
  expect(found / (topics.length * 10)).toBeGreaterThan(0.98);
});

function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
