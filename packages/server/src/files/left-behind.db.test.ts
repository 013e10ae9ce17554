import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { eventually } from '../../test/eventually.ts';
import { Config } from '../config/index.ts';
import { createLog } from '../observability/index.ts';
import { createFiles } from './files.ts';
import type { Files } from './port.ts';
import { startS3Server } from './storage/s3-server.ts';
import { storageKey } from './storage/storage.ts';

const database = await testDatabase();
const { sql } = database;
const log = createLog('silent');
let home: string;
let files: Files | undefined;
beforeEach(async () => {
  await sql`truncate files, sessions cascade`;
  home = mkdtempSync(join(tmpdir(), 'kith-left-'));
});
afterEach(async () => {
  await files?.close();
  rmSync(home, { recursive: true, force: true });
});

const start = async () => {
  files = await createFiles({ database, config: Config.parse({ home }), log });
  return files;
};
const upload = (store: Files, text: string) =>
  store.store('zhangsan', { name: 'note.txt', bytes: Readable.from([Buffer.from(text)]) });

const pathOf = (id: string) => join(home, 'files', storageKey(id));
const staging = () => join(home, 'files', 'incoming');
const staged = () => (existsSync(staging()) ? readdirSync(staging()) : []);
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

/** As a process leaves it that died in the middle: the staged upload is still there, and so are the bytes. */
function dieAfterStoring(id: string, hours: number, ending = ''): void {
  mkdirSync(dirname(pathOf(id)), { recursive: true });
  writeFileSync(`${pathOf(id)}${ending}`, 'bytes');
  stage(id, hours);
}
function stage(id: string, hours: number): void {
  mkdirSync(staging(), { recursive: true });
  writeFileSync(join(staging(), id), 'bytes');
  utimesSync(join(staging(), id), hoursAgo(hours), hoursAgo(hours));
}

describe('what a crash left behind', () => {
  test('bytes that never got a row are removed after a day', async () => {
    const [whole, half] = [randomUUID(), randomUUID()];
    dieAfterStoring(whole, 25);
    dieAfterStoring(half, 25, '.partial');
    await start();
    await eventually(() => expect(staged()).toEqual([]));
    expect(existsSync(pathOf(whole))).toBe(false);
    expect(existsSync(`${pathOf(half)}.partial`)).toBe(false);
  });

  test('an upload that may still be under way is left alone', async () => {
    const [young, old] = [randomUUID(), randomUUID()];
    dieAfterStoring(young, 23);
    dieAfterStoring(old, 25);
    await start();
    await eventually(() => expect(staged()).toEqual([young]));
    expect(existsSync(pathOf(young))).toBe(true);
  });

  test('a row that got there wins: the file stays, whoever it belongs to', async () => {
    const file = await upload(await start(), 'kept');
    await files?.close();
    stage(file.id, 25);
    const again = await start();
    await eventually(() => expect(staged()).toEqual([]));
    expect(existsSync(pathOf(file.id))).toBe(true);
    expect((await again.read('zhangsan', file.id)).text).toContain('kept');
  });

  test('bytes that nobody staged here are not looked at, row or no row', async () => {
    const [stranger, own] = [randomUUID(), randomUUID()];
    dieAfterStoring(stranger, 25);
    rmSync(join(staging(), stranger));
    dieAfterStoring(own, 25);
    await start();
    await eventually(() => expect(staged()).toEqual([]));
    expect(existsSync(pathOf(stranger))).toBe(true);
  });

  test('a name in the folder that is no id is only removed', async () => {
    stage('upload.tmp', 25);
    await start();
    await eventually(() => expect(staged()).toEqual([]));
  });

  test('a file that was being deleted is deleted in full', async () => {
    const file = await upload(await start(), 'half deleted');
    await files?.close();
    await sql`delete from files where id = ${file.id}`;
    stage(file.id, 25);
    await start();
    await eventually(() => expect(existsSync(pathOf(file.id))).toBe(false));
  });
});

test('what the database refuses leaves nothing behind', async () => {
  const store = await start();
  await sql`alter table files add constraint full_up check (name <> 'note.txt')`;
  try {
    await expect(upload(store, 'refused')).rejects.toThrow();
  } finally {
    await sql`alter table files drop constraint full_up`;
  }
  expect(staged()).toEqual([]);
  expect(
    readdirSync(join(home, 'files'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile()),
  ).toEqual([]);
});

test('with an S3-compatible store: bytes that cannot be removed now are removed at a later start', async () => {
  const account = { accessKeyId: 'test-account', secretAccessKey: 'test-secret' };
  const server = await startS3Server(account);
  const config = Config.parse({
    home,
    files: {
      storage: {
        provider: 'aws',
        bucket: 'kith-files',
        region: 'us-east-1',
        endpoint: server.endpoint,
        forcePathStyle: true,
        accessKeyEnv: 'S3_ID',
        secretKeyEnv: 'S3_SECRET',
      },
    },
  });
  const environment = { S3_ID: account.accessKeyId, S3_SECRET: account.secretAccessKey };
  const open = () => createFiles({ database, config, log, environment });
  const first = await open();
  const file = await upload(first, 'in the cloud');
  server.failNext(10);
  await first.delete('zhangsan', file.id);
  await first.close();
  expect([server.keys().length, staged()]).toEqual([1, [file.id]]);
  server.failNext(0);
  utimesSync(join(staging(), file.id), hoursAgo(25), hoursAgo(25));
  files = await open();
  await eventually(() => expect([server.keys(), staged()]).toEqual([[], []]));
  await server.stop();
});
