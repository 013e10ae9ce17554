import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startProgram } from '../../../test/program.ts';
import { openDatabase } from '../connection.ts';
import { findEmbedded, startEmbedded } from './server.ts';

const root = mkdtempSync(join(tmpdir(), 'kith-embedded-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('kill -9 in the middle of writing loses no row that was acknowledged', async () => {
  const home = join(root, 'killed');
  const acknowledged: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const writer = startProgram('test/programs/write-rows.ts', [home, String(round * 1_000_000)]);
    const enough = String(round * 1_000_000 + 40 + round * 17);
    await writer.line((line) => line === enough);
    writer.process.kill('SIGKILL');
    await writer.exited;
    acknowledged.push(...writer.lines);
  }
  const server = await startEmbedded(home);
  const database = await openDatabase({ kind: 'embedded', socketFolder: server.socketFolder });
  const rows = await database.sql<{ user_id: string }[]>`select user_id from profiles`;
  const kept = new Set(rows.map((row) => row.user_id));
  expect(acknowledged.length).toBeGreaterThan(120);
  expect(acknowledged.filter((number) => !kept.has(number))).toEqual([]);
  await database.close();
  await server.stop();
}, 90_000);

test('a second server on the folder is refused, while others join the first through its socket', async () => {
  const home = join(root, 'shared');
  const server = await startEmbedded(home);
  await expect(startEmbedded(home)).rejects.toMatchObject({ code: 'DATABASE_LOCKED' });
  const joined = findEmbedded(home);
  expect(joined).toEqual({ socketFolder: server.socketFolder });
  const address = JSON.stringify({ kind: 'embedded', socketFolder: joined?.socketFolder });
  const guest = startProgram('test/programs/open-database.ts', [address]);
  guest.say('go');
  await guest.line((line) => line === 'opened');
  await server.stop();
  expect(findEmbedded(home)).toBeUndefined();
}, 60_000);

test('a folder too deep for a socket gets a short one elsewhere', async () => {
  const home = join(root, 'deep'.repeat(20), 'deeper'.repeat(20));
  const server = await startEmbedded(home);
  const database = await openDatabase({ kind: 'embedded', socketFolder: server.socketFolder });
  expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }]);
  await database.close();
  await server.stop();
}, 60_000);
