import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { withAdmin } from '../../test/postgres-server.ts';
import { startProgram } from '../../test/program.ts';
import { type DatabaseAddress, openDatabase, startEmbedded } from './index.ts';

/** A database that has no table yet. */
async function blankDatabase(): Promise<DatabaseAddress> {
  if (inject('databaseKind') === 'embedded') {
    const home = mkdtempSync(join(tmpdir(), 'kith-blank-'));
    const server = await startEmbedded(home);
    afterAll(async () => {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    });
    return { kind: 'embedded', socketFolder: server.socketFolder };
  }
  const url = new URL(inject('serverUrl'));
  const name = `blank_${randomUUID().replaceAll('-', '')}`;
  await withAdmin(url.searchParams.get('host') ?? '', (admin) => admin.unsafe(`create database ${name}`));
  url.pathname = `/${name}`;
  return { kind: 'server', url: url.href, poolSize: 2 };
}

test('processes that start at once on a new database bring it up together, each step once', async () => {
  const address = await blankDatabase();
  const starters = Array.from({ length: 4 }, () =>
    startProgram('test/programs/open-database.ts', [JSON.stringify(address)]),
  );
  await Promise.all(starters.map((starter) => starter.line((line) => line === 'ready')));
  for (const starter of starters) starter.say('go');
  await Promise.all(starters.map((starter) => starter.line((line) => line === 'opened')));
  const database = await openDatabase(address);
  const steps = await database.sql<{ name: string }[]>`select name from kith_migrations order by name`;
  expect(steps.map((step) => step.name)).toEqual(expect.arrayContaining(['0001-users-and-access.sql']));
  expect(await database.sql`select count(*)::int as profiles from profiles`).toEqual([{ profiles: 0 }]);
  await database.close();
}, 60_000);

test('a step that was changed after it had been applied stops the start with its name', async () => {
  const address = await blankDatabase();
  const database = await openDatabase(address);
  await database.sql`update kith_migrations set checksum = 'another' where name = '0001-users-and-access.sql'`;
  await database.close();
  await expect(openDatabase(address)).rejects.toThrow(
    '0001-users-and-access.sql was changed after it had been applied',
  );
}, 60_000);
