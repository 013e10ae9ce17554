import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { forgetMemory } from './forgetting.ts';
import { keepStatements } from './ledger.ts';
import { isLive, type Snapshot, sizeOf } from './search/snapshot.ts';
import { createSnapshots } from './snapshots.ts';

const database = await testDatabase();
const MEGABYTE = 1024 * 1024;
const open = (options: { maxBytes?: number; now?: () => number } = {}) =>
  createSnapshots(database, { maxBytes: 64 * MEGABYTE, ...options });
const keep = async (userId: string, ...contents: string[]) => {
  const statements = contents.map((content) => ({ kind: 'fact' as const, content }));
  const kept = await database.sql.begin((sql) => keepStatements(sql, userId, statements, { by: 'user' }));
  return kept.map(({ id }) => id);
};
const wordsIn = ({ dictionary }: Snapshot) => [...dictionary.keys()];

beforeEach(async () => {
  await database.sql`truncate memories, memory_vectors, memory_versions`;
});

test('no index knows a forgotten word any more, in whichever process it was', async () => {
  const [secret = ''] = await keep('alice', 'the password is swordfish', 'likes tea');
  const elsewhere = open();
  expect(wordsIn(await elsewhere.current(database.sql, 'alice'))).toContain('swordfish');
  await database.sql.begin((sql) => forgetMemory(sql, 'alice', secret));
  const snapshot = await elsewhere.current(database.sql, 'alice');
  expect(wordsIn(snapshot)).not.toContain('swordfish');
  expect(wordsIn(snapshot)).toContain('tea');
});

test('a reading that began before something was forgotten is not kept', async () => {
  await keep('alice', 'likes tea');
  const snapshots = open();
  const reading = snapshots.currentSoon(database.sql, 'alice');
  snapshots.drop('alice');
  expect(await reading).toBeDefined();
  expect(snapshots.bytes()).toBe(0);
});

test('nothing new, nothing made: the same snapshot serves again', async () => {
  await keep('alice', 'likes tea');
  const snapshots = open();
  const first = await snapshots.current(database.sql, 'alice');
  expect(await snapshots.current(database.sql, 'alice')).toBe(first);
  await keep('alice', 'likes jazz');
  const second = await snapshots.current(database.sql, 'alice');
  expect([sizeOf(first), sizeOf(second)]).toEqual([1, 2]);
});

test('searches that come at the same time see the same, however they overlap', async () => {
  await keep('alice', ...Array.from({ length: 500 }, () => randomUUID()));
  const snapshots = open();
  const [all, late] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, () => snapshots.current(database.sql, 'alice'))),
    keep('alice', 'one more').then(() => snapshots.current(database.sql, 'alice')),
  ]);
  expect(all.every((snapshot) => sizeOf(snapshot) >= 500)).toBe(true);
  expect(sizeOf(late)).toBe(501);
});

test('when room runs out, whoever was away longest goes first', async () => {
  for (const user of ['a', 'b', 'c']) await keep(user, ...Array.from({ length: 200 }, () => randomUUID()));
  const one = open();
  await one.current(database.sql, 'a');
  const snapshots = open({ maxBytes: Math.floor(one.bytes() * 2.5) });
  const [a] = [await snapshots.current(database.sql, 'a'), await snapshots.current(database.sql, 'b')];
  expect(await snapshots.current(database.sql, 'a')).toBe(a);
  const c = await snapshots.current(database.sql, 'c');
  expect(snapshots.bytes()).toBeLessThanOrEqual(one.bytes() * 2.5);
  expect(await snapshots.current(database.sql, 'a')).toBe(a);
  expect(await snapshots.current(database.sql, 'c')).toBe(c);
});

test('of a user who is away, nothing is kept at hand', async () => {
  await keep('a', 'likes tea');
  await keep('b', 'likes jazz');
  let clock = 0;
  const snapshots = open({ now: () => clock });
  await snapshots.current(database.sql, 'a');
  const alone = snapshots.bytes();
  clock = 16 * 60_000;
  await snapshots.current(database.sql, 'b');
  expect(snapshots.bytes()).toBeLessThanOrEqual(alone);
});

test('a row that is superseded leaves the index', async () => {
  const [old = ''] = await keep('alice', 'lives in Beijing');
  const snapshots = open();
  await snapshots.current(database.sql, 'alice');
  await database.sql.begin((sql) =>
    keepStatements(sql, 'alice', [{ kind: 'fact', content: 'lives in Shanghai', supersedes: old }], { by: 'user' }),
  );
  const snapshot = await snapshots.current(database.sql, 'alice');
  const live = [...Array(sizeOf(snapshot)).keys()].filter((position) => isLive(snapshot, position));
  expect(live).toHaveLength(1);
});
