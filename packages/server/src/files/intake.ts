import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errors } from '../errors/index.ts';
import { HEAD_BYTES } from './accepted-types.ts';

/** A file that has come in whole and is not anybody's yet. */
export interface Staged {
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
      const file = join(folder, randomUUID());
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
      return { file, size, sha256: hash.digest('hex'), head: Buffer.concat(head) };
    },
    discard: (staged: Staged) => rm(staged.file, { force: true }),
    /** What a crash left behind. */
    sweep: async (now: Date): Promise<void> => {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => undefined);
        if (found && now.getTime() - found.mtimeMs > FORGOTTEN_MS) await rm(path, { force: true });
      }
    },
  };
}
export type Intake = ReturnType<typeof createIntake>;
