import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { startEmbedded } from './server.ts';

const home = mkdtempSync(join(tmpdir(), 'kith-socket-'));
const server = await startEmbedded(home);
const open = (max = 4) =>
  postgres({ host: server.socketFolder, username: 'postgres', database: 'postgres', max, onnotice: () => {} });
const [one, other] = [open(), open()];
await one`create table pairs (key integer primary key, value text)`;
afterAll(async () => {
  await Promise.all([one.end(), other.end()]);
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

test('queries and transactions of many connections at once never get each other’s answers', async () => {
  const wrong: unknown[] = [];
  const worker = async (sql: postgres.Sql, lane: number) => {
    for (let round = 0; round < 40; round++) {
      const key = lane * 1000 + round;
      const [echo] = await sql`select ${key}::int as key, ${`v${key}`} as value`;
      if (echo?.key !== key || echo?.value !== `v${key}`) wrong.push(echo);
      await sql.begin(async (transaction) => {
        await transaction`insert into pairs values (${key}, ${`v${key}`})`;
        const [row] = await transaction`select value from pairs where key = ${key}`;
        if (row?.value !== `v${key}`) wrong.push(row);
      });
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, lane) => worker(lane % 2 ? one : other, lane)));
  expect(wrong).toEqual([]);
  expect((await one`select count(*)::int as count from pairs`)[0]?.count).toBe(320);
});

test('a failed query leaves its connection usable', async () => {
  await expect(one`select 1 / 0`).rejects.toMatchObject({ code: '22012' });
  expect((await one`select 1 as one`)[0]?.one).toBe(1);
});

test('a client that goes away inside a transaction leaves nothing of it behind, and nobody waiting', async () => {
  const leaver = open(1);
  await leaver
    .begin(async (transaction) => {
      await transaction`insert into pairs values (999999, 'gone')`;
      await leaver.end({ timeout: 0 });
      await transaction`select 1`;
    })
    .catch(() => {});
  expect(await one`select 1 from pairs where key = 999999`).toHaveLength(0);
});

test('large parameters and large results pass whole', async () => {
  const text = '好'.repeat(400_000);
  const [row] = await one`select ${text} as text`;
  expect(row?.text.length).toBe(text.length);
});
