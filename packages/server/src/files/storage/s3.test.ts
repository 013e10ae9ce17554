import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { describeStorage } from './conformance.ts';
import { type S3Config, s3Storage } from './s3.ts';
import { startS3Server } from './s3-server.ts';
import { storageKey } from './storage.ts';

const account = { accessKeyId: 'test-account', secretAccessKey: 'test-secret' };
const server = await startS3Server(account);
const folder = mkdtempSync(join(tmpdir(), 'kith-s3-'));
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});
const environment = { S3_ACCESS_KEY_ID: account.accessKeyId, S3_SECRET_ACCESS_KEY: account.secretAccessKey };
const config: S3Config = {
  provider: 'tencent',
  bucket: 'kith-files',
  region: 'ap-guangzhou',
  endpoint: server.endpoint,
  prefix: 'team/',
  forcePathStyle: true,
  accessKeyEnv: 'S3_ACCESS_KEY_ID',
  secretKeyEnv: 'S3_SECRET_ACCESS_KEY',
};
const staged = (text: string) => {
  const file = join(folder, randomUUID());
  writeFileSync(file, text);
  return {
    file,
    size: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    mediaType: 'text/plain',
  };
};

describeStorage('S3-compatible', async () => s3Storage(config, environment));

describe('S3-compatible storage', () => {
  const storage = s3Storage(config, environment);

  test('puts objects under bucket and prefix, path style, signed, in one piece', async () => {
    const key = storageKey(randomUUID());
    await storage.put(key, staged('你好'));
    expect(server.keys()).toContain(`/kith-files/team/${key}`);
    const put = server.requests.findLast((request) => request.method === 'PUT');
    expect(put?.headers['content-type']).toBe('text/plain');
    expect(put?.headers['transfer-encoding']).toBeUndefined();
    expect(put?.headers['content-encoding']).toBeUndefined();
  });

  test('tries again when the store is busy, with the whole body', async () => {
    const key = storageKey(randomUUID());
    server.failNext(2);
    await storage.put(key, staged('once more'));
    server.failNext(1);
    expect((await buffer(await storage.open(key))).toString()).toBe('once more');
  });

  test('a wrong secret is an error at once', async () => {
    const stranger = s3Storage(config, { ...environment, S3_SECRET_ACCESS_KEY: 'wrong' });
    const before = server.requests.length;
    await expect(stranger.put(storageKey(randomUUID()), staged('x'))).rejects.toThrow();
    expect(server.requests.length).toBe(before + 1);
  });

  test('a missing secret is named when the server starts', () => {
    expect(() => s3Storage(config, { S3_ACCESS_KEY_ID: 'only-the-id' })).toThrow(/S3_SECRET_ACCESS_KEY/);
  });
});
