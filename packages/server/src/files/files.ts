import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Config, Environment } from '../config/index.ts';
import type { Database } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import { tokensOf } from '../memory/index.ts';
import type { Log } from '../observability/index.ts';
import { typeOf } from './accepted-types.ts';
import { displayName } from './file-name.ts';
import {
  attachFiles,
  type FileRow,
  findFile,
  hasRow,
  insertFile,
  isFileId,
  listFiles,
  sessionFiles,
  toFileInfo,
} from './file-rows.ts';
import { createIntake, type Staged } from './intake.ts';
import type { Files, SavedOutput } from './port.ts';
import { createProcessing } from './processing.ts';
import { readPages } from './read-pages.ts';
import { fixedLimits } from './reading/limits.ts';
import { searchPassages } from './search.ts';
import { stateOf } from './session-state.ts';
import { localStorage } from './storage/local.ts';
import { type Storage, storageKey } from './storage/storage.ts';

export interface FilesOptions {
  database: Pick<Database, 'sql'>;
  config: Pick<Config, 'home' | 'files'>;
  log: Log;
  /** Where the keys of an S3-compatible store are named. */
  environment?: Environment;
}

const SWEEP_MS = 24 * 60 * 60 * 1000;
const PAGE = 50;
const PASSAGES = 8;

export async function createFiles({ database, config, log, environment = {} }: FilesOptions): Promise<Files> {
  const { sql } = database;
  const { files: limits, home } = config;
  const storage = await openStorage(config, environment);
  const intake = createIntake(join(home, 'files', 'incoming'), limits.maxBytes);
  const processing = createProcessing(sql, storage, readingLimits(limits), log);

  /** Bytes that no row points at. They are known by their id alone: nobody's files are listed, and nothing else is touched. */
  const forget = async (id: string): Promise<void> => {
    if (isFileId(id) && !(await hasRow(sql, id))) await storage.delete(storageKey(id));
  };
  /** What does not succeed now is left to the sweep. */
  const forgetNow = (id: string) =>
    forget(id)
      .then(() => intake.discard({ id }))
      .catch((error: unknown) => log.warn({ err: error, fileId: id }, 'the bytes of a file are removed later'));
  const sweep = () =>
    intake
      .sweep(new Date(), forget)
      .catch((error: unknown) => log.warn({ err: error }, 'what an upload left behind could not be removed'));
  const sweeping = setInterval(sweep, SWEEP_MS).unref();
  void sweep();

  /** The bytes are there before the row is: a row never points at nothing. */
  const keep = async (userId: string, name: string, staged: Staged, mediaType?: string): Promise<FileRow> => {
    const type = await typeOf(staged.head, name, mediaType);
    const { id, size, sha256 } = staged;
    const path = storageKey(id);
    await storage.put(path, { ...staged, mediaType: type.mediaType });
    return insertFile(sql, {
      id,
      user_id: userId,
      name,
      media_type: type.mediaType,
      kind: type.kind,
      size,
      sha256,
      provider: storage.provider,
      path,
    });
  };
  const receive = async <Value>(bytes: Readable, use: (staged: Staged) => Promise<Value>): Promise<Value> => {
    const staged = await intake.receive(bytes);
    const value = await use(staged).catch(async (error: unknown) => {
      await forgetNow(staged.id);
      throw error;
    });
    await intake.discard(staged);
    return value;
  };

  return {
    store: async (userId, upload, options = {}) => {
      const { mediaType, bytes } = upload;
      const file = await receive(bytes, (staged) => keep(userId, displayName(upload.name), staged, mediaType));
      if (options.sessionId) await attachFiles(sql, userId, options.sessionId, [file.id]);
      return toFileInfo(await processing.settle(userId, file.id));
    },
    get: async (userId, fileId) => toFileInfo(await findFile(sql, userId, fileId)),
    list: (userId, { sessionId, cursor, limit = PAGE } = {}) => listFiles(sql, userId, { sessionId, cursor, limit }),
    delete: async (userId, fileId) => {
      const file = await findFile(sql, userId, fileId);
      await intake.mark(file.id);
      await sql`delete from files where id = ${file.id} and user_id = ${userId}`;
      await forgetNow(file.id);
    },
    open: async (userId, fileId) => {
      const file = await findFile(sql, userId, fileId);
      return { file: toFileInfo(file), bytes: await storage.open(file.path) };
    },

    attach: attachFiles,
    forSession: async (userId, sessionId) => {
      const files = await sessionFiles(sql, userId, sessionId);
      const reading = Promise.allSettled(files.map((file) => processing.settle(userId, file.id)));
      // The run goes on without what takes longer, and says that it is still being read.
      await within(limits.timeoutSeconds * 1000, reading);
      return stateOf(await sessionFiles(sql, userId, sessionId));
    },
    read: async (userId, fileId, pages, transaction) => {
      // Reading takes its time, and a transaction has none.
      const file = transaction ? await findFile(transaction, userId, fileId) : await processing.settle(userId, fileId);
      if (file.status !== 'ready') throw notReadable(file);
      return readPages(transaction ?? sql, file, pages);
    },
    search: (userId, query, { sessionId, limit = PASSAGES, sql: transaction } = {}) =>
      searchPassages(transaction ?? sql, { userId, terms: tokensOf(query), sessionId, limit }),

    saveOutput: async (userId, sessionId, name, mediaType, bytes) => {
      const shown = displayName(name);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const earlier = (await sessionFiles(sql, userId, sessionId)).find(
        (file) => file.name === shown && file.sha256 === sha256,
      );
      if (earlier) return savedOutput(earlier);
      const file = await receive(Readable.from([Buffer.from(bytes)]), (staged) =>
        keep(userId, shown, staged, mediaType),
      );
      await attachFiles(sql, userId, sessionId, [file.id]);
      return savedOutput(file);
    },
    close: async () => {
      clearInterval(sweeping);
      await processing.close();
      await storage.close();
    },
  };
}

async function openStorage(
  { home, files }: Pick<Config, 'home' | 'files'>,
  environment: Environment,
): Promise<Storage> {
  if (files.storage.provider === 'local') return localStorage(join(home, 'files'));
  const { s3Storage } = await import('./storage/s3.ts');
  return s3Storage(files.storage, environment);
}

const readingLimits = ({ maxPages, maxCells, maxExpansion, timeoutSeconds }: Config['files']) => ({
  ...fixedLimits,
  pages: maxPages,
  cells: maxCells,
  expansion: maxExpansion,
  timeoutMs: timeoutSeconds * 1000,
});

const savedOutput = ({ id, name, size }: FileRow): SavedOutput => ({
  file_id: id,
  name,
  url: `/api/v1/files/${id}/content`,
  size,
});

function notReadable(file: FileRow) {
  const detail = file.error ? `${file.name}: ${file.error.message}` : `${file.name} is still being read`;
  return errors.FILE_NOT_READABLE({ fileId: file.id, detail });
}

/** Waits for the work, but not longer. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([work, over]);
  clearTimeout(timer);
}
