import type { RecalledMemory, StoredMemory } from '@kith/protocol';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decayed, fillBudget } from './relevance.ts';

const now = new Date('2026-11-16T00:00:00Z');
const memory = (given: Partial<StoredMemory> = {}): StoredMemory => ({
  id: '00000000-0000-4000-8000-000000000000',
  kind: 'turn',
  content: 'x',
  source: {},
  valid_from: now.toISOString(),
  valid_to: null,
  superseded_by: null,
  uses: 0,
  last_used_at: null,
  created_at: now.toISOString(),
  ...given,
});
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();

test('of two that fit equally well, the one that was said or used lately comes first', () => {
  const fresh = decayed(0.8, memory(), now);
  const old = decayed(0.8, memory({ valid_from: daysAgo(400) }), now);
  const usedLately = decayed(0.8, memory({ valid_from: daysAgo(400), last_used_at: daysAgo(1), uses: 3 }), now);
  expect(old).toBeLessThan(fresh);
  expect(usedLately).toBeGreaterThan(old);
});

test('decay is mild: it takes a fifth at most, and never turns a clearly better match around', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(20_000), fc.nat(10_000), (score, days, uses) => {
      const result = decayed(score, memory({ valid_from: daysAgo(days), uses }), now);
      expect(result).toBeLessThanOrEqual(1);
      expect(result).toBeGreaterThanOrEqual(score * 0.8 - 1e-12);
      expect(result).toBeLessThanOrEqual(score * 1.1 + 1e-12);
    }),
  );
});

test('what was learned fades more slowly than what was said', () => {
  const long = { valid_from: daysAgo(3000) };
  expect(decayed(1, memory({ ...long, kind: 'fact' }), now)).toBeGreaterThan(decayed(1, memory(long), now));
});

const recalled = (id: string, kind: string, content: string): RecalledMemory => ({ id, kind, content, score: 0.5 });
const anyMemory = fc
  .tuple(
    fc.constantFrom('fact', 'preference', 'gist', 'turn'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 900 }),
  )
  .map(([kind, content]) => recalled('id', kind, content));

test('what goes into a prompt keeps to the budget, in characters and in number', () => {
  fc.assert(
    fc.property(
      fc.array(anyMemory, { maxLength: 20 }),
      fc.array(anyMemory, { maxLength: 6 }),
      fc.nat(3000),
      fc.nat(10),
      (matches, standing, characters, count) => {
        const taken = fillBudget(matches, standing, { characters, count });
        expect(taken.length).toBeLessThanOrEqual(count);
        expect(taken.reduce((sum, { content }) => sum + [...content].length, 0)).toBeLessThanOrEqual(characters);
        expect(taken.every(({ content }) => content !== '')).toBe(true);
      },
    ),
  );
});

test('a long turn is cut short, a fact is kept whole or left out', () => {
  const turn = recalled('turn', 'turn', '长'.repeat(5000));
  const fact = recalled('fact', 'fact', 'f'.repeat(300));
  const taken = fillBudget([turn, fact], [], { characters: 800, count: 8 });
  expect(taken.map(({ id, content }) => [id, [...content].length])).toEqual([
    ['turn', 400],
    ['fact', 300],
  ]);
  expect(fillBudget([fact], [], { characters: 299, count: 8 })).toEqual([]);
});

test('standing preferences have a place however much else matches', () => {
  const matches = Array.from({ length: 20 }, (_, at) => recalled(`match ${at}`, 'turn', 'm'.repeat(400)));
  const taken = fillBudget(matches, [recalled('preference', 'preference', 'short answers')], {
    characters: 2000,
    count: 8,
  });
  expect(taken.map(({ id }) => id)).toContain('preference');
  expect(taken[0]?.id).toBe('match 0');
});
