import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { MasterKey, MasterKeys } from './master-keys.ts';

/**
 * A secret at rest: `v1:<master key id>:<iv>:<tag>:<ciphertext>:<wrapped data key>`. A random data key per secret,
 * wrapped by the master key; both are bound to the row they belong to, so that a ciphertext moved to another row is
 * worthless there.
 */
const VERSION = 'v1';
const ALGORITHM = 'aes-256-gcm';
const IV_LENGTH = 12;
const TAG_LENGTH = 16;

export function sealSecret(secret: string, row: string, master: MasterKey): string {
  const dataKey = randomBytes(32);
  const { iv, tag, text } = encrypt(Buffer.from(secret, 'utf8'), dataKey, row);
  return [VERSION, master.id, encode(iv), encode(tag), encode(text), wrap(dataKey, row, master)].join(':');
}

/** Undefined where it cannot be opened: another master key, another row, or a changed byte. */
export function openSecret(sealed: string, row: string, keys: MasterKeys): string | undefined {
  const parts = split(sealed);
  const master = parts && findMaster(parts.masterId, keys);
  if (!parts || !master) return undefined;
  try {
    const dataKey = unwrap(parts.wrapped, row, master);
    return decrypt(parts, dataKey, row).toString('utf8');
  } catch {
    return undefined;
  }
}

/** The same secret under the current master key: only the data key is wrapped anew. Undefined where it cannot be opened. */
export function rewrapSecret(sealed: string, row: string, keys: MasterKeys): string | undefined {
  const parts = split(sealed);
  const master = parts && findMaster(parts.masterId, keys);
  if (!parts || !master || openSecret(sealed, row, keys) === undefined) return undefined;
  const dataKey = unwrap(parts.wrapped, row, master);
  const { iv, tag, text } = parts;
  return [VERSION, keys.current.id, encode(iv), encode(tag), encode(text), wrap(dataKey, row, keys.current)].join(':');
}

/** The master key that a secret is wrapped with. */
export function masterIdOf(sealed: string): string | undefined {
  return split(sealed)?.masterId;
}

interface Parts {
  masterId: string;
  iv: Buffer;
  tag: Buffer;
  text: Buffer;
  wrapped: Buffer;
}

function split(sealed: string): Parts | undefined {
  const [version, masterId, iv, tag, text, wrapped, ...more] = sealed.split(':');
  if (version !== VERSION || !masterId || !iv || !tag || !text || !wrapped || more.length > 0) return undefined;
  return { masterId, iv: decode(iv), tag: decode(tag), text: decode(text), wrapped: decode(wrapped) };
}

function findMaster(id: string, keys: MasterKeys): MasterKey | undefined {
  return [keys.current, ...keys.previous].find((key) => key.id === id);
}

function wrap(dataKey: Buffer, row: string, master: MasterKey): string {
  const { iv, tag, text } = encrypt(dataKey, master.bytes, `${master.id}/${row}`);
  return encode(Buffer.concat([iv, tag, text]));
}

function unwrap(wrapped: Buffer, row: string, master: MasterKey): Buffer {
  const iv = wrapped.subarray(0, IV_LENGTH);
  const tag = wrapped.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH);
  const text = wrapped.subarray(IV_LENGTH + TAG_LENGTH);
  return decrypt({ iv, tag, text }, master.bytes, `${master.id}/${row}`);
}

function encrypt(plain: Buffer, key: Buffer, bound: string) {
  const iv = randomBytes(IV_LENGTH);
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_LENGTH }).setAAD(Buffer.from(bound, 'utf8'));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { iv, tag: cipher.getAuthTag(), text };
}

function decrypt({ iv, tag, text }: Pick<Parts, 'iv' | 'tag' | 'text'>, key: Buffer, bound: string): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_LENGTH });
  decipher.setAAD(Buffer.from(bound, 'utf8')).setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]);
}

const encode = (bytes: Buffer) => bytes.toString('base64url');
const decode = (text: string) => Buffer.from(text, 'base64url');
