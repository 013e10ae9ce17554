import { constants } from 'node:fs';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errors } from '../../errors/index.ts';
import { checkedKey, type Storage } from './storage.ts';

/** Files in a folder of this machine. */
export function localStorage(folder: string): Storage {
  const pathOf = (key: string) => join(folder, checkedKey(key));
  const partialOf = (key: string) => `${pathOf(key)}.partial`;
  return {
    provider: 'local',
    put: async (key, { file }) => {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // A copy beside its place and a rename: whoever opens the key sees all of it or nothing.
      const partial = partialOf(key);
      await copyFile(file, partial, constants.COPYFILE_FICLONE);
      await rename(partial, path);
    },
    open: async (key) => {
      const handle = await open(pathOf(key), 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw errors.FILE_NOT_FOUND({ detail: 'the bytes of this file are gone' });
        throw error;
      });
      return handle.createReadStream();
    },
    delete: async (key) => {
      await rm(partialOf(key), { force: true });
      await rm(pathOf(key), { force: true });
    },
    close: async () => {},
  };
}
