import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errors } from '../errors/index.ts';
import { HEAD_BYTES } from './accepted-types.ts';

/** A file that has come in whole and is not anybody's yet. */
export interface Staged {
  /** What the file will be known by, so that a staged file that a crash left behind tells which bytes are nobody's. */
  id: string;
  file: string;
  size: number;
  sha256: string;
  /** The first bytes, to know it by. */
  head: Buffer;
}

const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

/** Writes what arrives to a file of our own naming, counting and hashing on the way; what is too large is dropped at once. */
export function createIntake(folder: string, maxBytes: number) {
  return {
    receive: async (bytes: Readable): Promise<Staged> => {
      // It may break off before anybody reads; the pipeline below finds out, and nobody else needs to.
      bytes.on('error', () => {});
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const id = randomUUID();
      const file = join(folder, id);
      const hash = createHash('sha256');
      const head: Buffer[] = [];
      let size = 0;
      try {
        await pipeline(
          bytes,
          async function* count(source: AsyncIterable<Buffer>) {
            for await (const chunk of source) {
              if (size < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - size));
              size += chunk.length;
              if (size > maxBytes) throw errors.FILE_TOO_LARGE({ detail: `more than ${maxBytes} bytes` });
              hash.update(chunk);
              yield chunk;
            }
          },
          createWriteStream(file, { mode: 0o600 }),
        );
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
      return { id, file, size, sha256: hash.digest('hex'), head: Buffer.concat(head) };
    },
    /** As `receive` does, but without bytes: whatever becomes of this process, the sweep will look at this id. */
    mark: async (id: string): Promise<void> => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, id), '', { mode: 0o600 });
    },
    discard: ({ id }: Pick<Staged, 'id'>) => rm(join(folder, id), { force: true }),
    /** What a crash left behind, after a day; `forget` first, so that what fails is tried again the next time. */
    sweep: async (now: Date, forget: (id: string) => Promise<void>): Promise<void> => {
      for (const id of await readdir(folder).catch(() => [])) {
        const path = join(folder, id);
        const found = await stat(path).catch(() => undefined);
        if (!found || now.getTime() - found.mtimeMs <= FORGOTTEN_MS) continue;
        await forget(id);
        await rm(path, { force: true });
      }
    },
  };
}
export type Intake = ReturnType<typeof createIntake>;
