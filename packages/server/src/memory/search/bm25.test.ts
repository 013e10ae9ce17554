import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { lexicalScores } from './bm25.ts';
import type { DocumentSource } from './document.ts';
import { advance, emptySnapshot, idAt, isLive, type Snapshot, sizeOf } from './snapshot.ts';

interface Entry {
  id: string;
  terms: string[];
  contextTerms: string[];
}

/** BM25 as the book has it, over plain lists. */
function naive(entries: readonly Entry[], query: readonly string[], tokensOf: (entry: Entry) => string[]) {
  const average = entries.reduce((sum, entry) => sum + tokensOf(entry).length, 0) / entries.length || 1;
  return new Map(
    entries.map((entry) => {
      const tokens = tokensOf(entry);
      const score = query.reduce((sum, term) => {
        const times = tokens.filter((token) => token === term).length;
        const holders = entries.filter((other) => tokensOf(other).includes(term)).length;
        const rarity = Math.log(1 + (entries.length - holders + 0.5) / (holders + 0.5));
        return sum + (rarity * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * tokens.length) / average) || 1);
      }, 0);
      return [entry.id, score];
    }),
  );
}

const term = fc.constantFrom(...'茶 咖啡 tea coffee 杭州 a b c d e'.split(' '));
const terms = fc.array(term, { maxLength: 12 });
const step = fc.record({
  added: fc.array(fc.record({ id: fc.nat(400).map(String), terms, contextTerms: terms }), { maxLength: 200 }),
  removed: fc.array(fc.nat(400).map(String), { maxLength: 30 }),
});

function replay(steps: readonly { added: Entry[]; removed: string[] }[]) {
  const entries = new Map<string, Entry>();
  let snapshot: Snapshot = emptySnapshot('epoch');
  for (const [version, { added, removed }] of steps.entries()) {
    const unique = [...new Map(added.map((entry) => [entry.id, entry])).values()];
    const gone = removed.filter((id) => !unique.some((entry) => entry.id === id));
    for (const id of gone) entries.delete(id);
    for (const entry of unique) entries.set(entry.id, entry);
    const changes = new Map<string, DocumentSource | undefined>(gone.map((id) => [id, undefined]));
    for (const entry of unique) changes.set(entry.id, { ...entry, kind: 'fact' });
    snapshot = advance(snapshot, changes, version + 1);
  }
  return { snapshot, entries: [...entries.values()] };
}

test('however the index came to be, it scores as the formula does over what is left', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), terms, (steps, query) => {
      const { snapshot, entries } = replay(steps);
      const scores = lexicalScores(snapshot, query);
      const live = [...Array(sizeOf(snapshot)).keys()].filter((position) => isLive(snapshot, position));
      expect(live.map((position) => idAt(snapshot, position)).sort()).toEqual(entries.map(({ id }) => id).sort());
      const text = naive(entries, query, (entry) => entry.terms);
      const both = naive(entries, query, (entry) => [...entry.terms, ...entry.contextTerms]);
      for (const position of live) {
        const id = idAt(snapshot, position);
        expect(scores.text[position]).toBeCloseTo(text.get(id) ?? Number.NaN, 9);
        expect(scores.both[position]).toBeCloseTo(both.get(id) ?? Number.NaN, 9);
      }
    }),
    { numRuns: 25 },
  );
});

test('what was removed from a large index scores nothing, and changes the scores of the rest', () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    id: `${at}`,
    terms: ['tea', `t${at % 7}`],
    contextTerms: ['c'],
  }));
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(299), { minLength: 1, maxLength: 60 }), (gone) => {
      const { snapshot, entries } = replay([
        { added: many, removed: [] },
        { added: [], removed: gone.map(String) },
      ]);
      expect([...snapshot.removed].sort()).toEqual([...gone].sort());
      const query = ['tea', 't3', 'c'];
      const { text, both } = lexicalScores(snapshot, query);
      for (const position of snapshot.removed) expect([text[position], both[position]]).toEqual([0, 0]);
      const expected = naive(entries, query, (entry) => entry.terms);
      for (const { id } of entries) expect(text[Number(id)]).toBeCloseTo(expected.get(id) ?? Number.NaN, 9);
    }),
    { numRuns: 10 },
  );
});

test('an older snapshot is not disturbed by what comes after it', () => {
  const entry = (id: string, ...terms: string[]) =>
    [id, { id, kind: 'fact' as const, terms, contextTerms: [] }] as const;
  const old = advance(
    emptySnapshot('e'),
    new Map(Array.from({ length: 300 }, (_, at) => entry(`${at}`, 'tea', `t${at}`))),
    1,
  );
  const before = [...lexicalScores(old, ['tea', 't7']).text];
  const next = advance(old, new Map<string, DocumentSource | undefined>([entry('new', 't7'), ['7', undefined]]), 2);
  expect([...lexicalScores(old, ['tea', 't7']).text]).toEqual(before);
  expect(idAt(next, sizeOf(next) - 1)).toBe('new');
  expect(isLive(next, 7)).toBe(false);
});
