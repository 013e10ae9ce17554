import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../../config/index.ts';
import { errors } from '../../errors/index.ts';

/** The key that wraps the data keys of all secrets. Its id is a hash of it, so that it needs no book-keeping. */
export interface MasterKey {
  id: string;
  bytes: Buffer;
}

/** The key in use, and older ones that rows may still be wrapped with. */
export interface MasterKeys {
  current: MasterKey;
  previous: readonly MasterKey[];
  /** Where they are kept; undefined: given by the environment. */
  file: string | undefined;
}

const LENGTH = 32;

/** `KITH_MASTER_KEY` (older ones, comma separated, in `KITH_MASTER_KEY_PREVIOUS`), or the file in `KITH_HOME`, made on the first start. */
export function loadMasterKeys(home: string, environment: Environment): MasterKeys {
  const given = environment.KITH_MASTER_KEY;
  if (given) {
    const previous = (environment.KITH_MASTER_KEY_PREVIOUS ?? '').split(',').filter((text) => text.trim() !== '');
    return {
      current: readKey(given, 'KITH_MASTER_KEY'),
      previous: previous.map((text) => readKey(text, 'KITH_MASTER_KEY_PREVIOUS')),
      file: undefined,
    };
  }
  const file = join(home, 'master.key');
  if (!existsSync(file)) createFile(file, home);
  refuseOpenFile(file);
  const [current, ...previous] = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => readKey(line, file));
  if (!current) throw errors.CONFIG_INVALID({ detail: `${file}: holds no key` });
  return { current, previous, file };
}

/** A new key in front of the old ones, written to the file in one step. */
export function addMasterKey(keys: MasterKeys): MasterKeys {
  if (!keys.file) {
    throw errors.CONFIG_INVALID({
      detail:
        'the master key comes from KITH_MASTER_KEY: put a new one there and the old one into KITH_MASTER_KEY_PREVIOUS',
    });
  }
  return replaceFile({ ...keys, current: newKey(), previous: [keys.current, ...keys.previous] });
}

/** Forgets the older keys, once nothing is wrapped with them any more. */
export function dropPreviousKeys(keys: MasterKeys): MasterKeys {
  return keys.file ? replaceFile({ ...keys, previous: [] }) : keys;
}

export function masterKeyOf(bytes: Buffer): MasterKey {
  return { id: createHash('sha256').update('kith master key').update(bytes).digest('hex').slice(0, 12), bytes };
}

function newKey(): MasterKey {
  return masterKeyOf(randomBytes(LENGTH));
}

function readKey(text: string, place: string): MasterKey {
  const trimmed = text.trim();
  const bytes = Buffer.from(trimmed, /^[0-9a-f]{64}$/i.test(trimmed) ? 'hex' : 'base64');
  if (bytes.length !== LENGTH) {
    throw errors.CONFIG_INVALID({ detail: `${place}: a master key is 32 bytes in base64 or hex` });
  }
  return masterKeyOf(bytes);
}

const HEADER = '# The master key of this Kith: without it the stored vendor keys cannot be read. Newest first.\n';

/** Two processes that start at once agree on one key: the link fails for the second, which then reads the first's. */
function createFile(file: string, home: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${HEADER}${newKey().bytes.toString('base64')}\n`, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
}

function replaceFile(keys: MasterKeys): MasterKeys {
  if (!keys.file) return keys;
  const draft = `${keys.file}.${process.pid}`;
  const lines = [keys.current, ...keys.previous].map(({ bytes }) => bytes.toString('base64'));
  writeFileSync(draft, `${HEADER}${lines.join('\n')}\n`, { mode: 0o600 });
  renameSync(draft, keys.file);
  return keys;
}

function refuseOpenFile(file: string): void {
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    throw errors.CONFIG_INVALID({ detail: `${file}: others may read it; make it private with chmod 600` });
  }
}
