import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Storage, storageKey } from './storage.ts';

/** What every storage does, whatever is behind it. */
export function describeStorage(name: string, makeStorage: () => Promise<Storage>): void {
  describe(`${name} storage`, () => {
    let storage: Storage;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'kith-storage-'));
      storage = await makeStorage();
    });
    afterAll(async () => {
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    });

    const staged = async (bytes: Uint8Array) => {
      const file = join(folder, randomUUID());
      await writeFile(file, bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { file, size: bytes.length, sha256, mediaType: 'application/octet-stream' };
    };

    test('gives back byte for byte what was put', async () => {
      const key = storageKey(randomUUID());
      const bytes = randomBytes(300_000);
      await storage.put(key, await staged(bytes));
      expect((await buffer(await storage.open(key))).equals(bytes)).toBe(true);
    });

    test('keeps an empty file', async () => {
      const key = storageKey(randomUUID());
      await storage.put(key, await staged(new Uint8Array()));
      expect(await buffer(await storage.open(key))).toHaveLength(0);
    });

    test('streams: a reader may stop early', async () => {
      const key = storageKey(randomUUID());
      await storage.put(key, await staged(randomBytes(2_000_000)));
      const stream = await storage.open(key);
      const [chunk] = await once(stream, 'data');
      expect(chunk.length).toBeLessThan(2_000_000);
      stream.destroy();
      expect(stream.destroyed).toBe(true);
    });

    test('says FILE_NOT_FOUND where there is nothing', async () => {
      await expect(storage.open(storageKey(randomUUID()))).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    });

    test('what is deleted is gone, and deleting it again is harmless', async () => {
      const key = storageKey(randomUUID());
      await storage.put(key, await staged(randomBytes(10)));
      await storage.delete(key);
      await storage.delete(key);
      await expect(storage.open(key)).rejects.toMatchObject({ code: 'FILE_NOT_FOUND' });
    });

    test('takes no key that is not made of a file id', async () => {
      for (const key of ['../../etc/passwd', '/etc/passwd', `ab/../${randomUUID()}`, 'ab/name.txt', '']) {
        await expect(async () => storage.open(key)).rejects.toThrow('storage key');
        await expect(async () => storage.delete(key)).rejects.toThrow('storage key');
      }
    });
  });
}
