import type { Readable } from 'node:stream';
import type { OriginFile } from '@kith/protocol';

export type StorageProvider = OriginFile['mapping']['provider'];

/** What is about to be kept: a staged file on this machine, already counted and hashed. */
export interface StagedBytes {
  file: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
  mediaType: string;
}

/**
 * Where the bytes of files are. A key is made by us (never from a name that came in), is written once and not rewritten.
 */
export interface Storage {
  readonly provider: StorageProvider;
  put(key: string, bytes: StagedBytes): Promise<void>;
  /** FILE_NOT_FOUND when there is nothing under the key. */
  open(key: string): Promise<Readable>;
  /** Harmless when there is nothing. */
  delete(key: string): Promise<void>;
  close(): Promise<void>;
}

const KEY = /^[0-9a-f]{2}\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `ab/ab12…`: spread over folders, because some file systems grow slow with a hundred thousand names in one. */
export const storageKey = (fileId: string): string => checkedKey(`${fileId.slice(0, 2)}/${fileId}`);

/** The last gate before a path is made of a key. */
export function checkedKey(key: string): string {
  if (!KEY.test(key)) throw new Error('a storage key is made of a file id and nothing else');
  return key;
}
