import type { FileError, FileSummary } from '@kith/protocol';
import { FILE_ERRORS } from '@kith/protocol';
import type { Sql } from '../db/index.ts';
import { isKithError } from '../errors/index.ts';
import type { Log } from '../observability/index.ts';
import { type FileRow, findFile } from './file-rows.ts';
import type { ReadingLimits } from './reading/limits.ts';
import { type ReadingOutcome, readFileApart } from './reading/reader.ts';
import type { Chunk } from './reading/reading.ts';
import type { Storage } from './storage/storage.ts';

/** How many files are opened at once in this process. */
const READERS = 2;
/** On top of the reader's own time: to write down what it found. */
const LEASE_MARGIN_MS = 30_000;
const POLL_MS = 100;

export interface Processing {
  /** Reads the file unless that is done; waits for whoever is reading it. Gives back what it has become. */
  settle(userId: string, fileId: string): Promise<FileRow>;
  close(): Promise<void>;
}

export function createProcessing(sql: Sql, storage: Storage, limits: ReadingLimits, log: Log): Processing {
  const underWay = new Map<string, Promise<boolean>>();
  const stopping = new AbortController();
  const readers = slots(READERS);

  /** False: somebody else was quicker. */
  const process = (file: FileRow): Promise<boolean> =>
    readers(async () => {
      const claimed = await claim(sql, file, limits.timeoutMs + LEASE_MARGIN_MS);
      if (!claimed) return false;
      const outcome = await read(sql, storage, file, limits, stopping.signal).catch((error: unknown) => {
        log.error({ err: error, fileId: file.id }, 'a file could not be read');
        return { end: 'interrupted', reason: 'see the log' } as const;
      });
      await keep(sql, file, outcome);
      return true;
    });

  const settle = async (userId: string, fileId: string): Promise<FileRow> => {
    for (;;) {
      const file = await findFile(sql, userId, fileId);
      const mine = underWay.get(file.id);
      if (mine) await mine;
      else if (isSettled(file) || stopping.signal.aborted) return file;
      else if (isHeld(file)) await aMoment();
      else {
        const work = process(file).finally(() => underWay.delete(file.id));
        underWay.set(file.id, work);
        // One try a call: what was interrupted stays `stored`, for another time.
        if (await work) return findFile(sql, userId, fileId);
        await aMoment();
      }
    }
  };
  return {
    settle,
    close: async () => {
      stopping.abort();
      await Promise.allSettled(underWay.values());
    },
  };
}

const aMoment = () => new Promise((resolve) => setTimeout(resolve, POLL_MS));
const isSettled = (file: FileRow) => file.status === 'ready' || file.status === 'failed';
const isHeld = (file: FileRow) => file.status === 'processing' && (file.processing_until ?? new Date(0)) > new Date();

/** One reader at a time; a reader that died holds the file no longer than its lease. */
async function claim(sql: Sql, file: FileRow, leaseMs: number): Promise<boolean> {
  const claimed = await sql`
    update files set status = 'processing', processing_until = now() + ${leaseMs} * interval '1 millisecond'
    where id = ${file.id} and user_id = ${file.user_id}
      and (status = 'stored' or (status = 'processing' and processing_until < now()))`;
  if (claimed.count === 0) return false;
  await dropChunks(sql, file);
  return true;
}

async function read(
  sql: Sql,
  storage: Storage,
  file: FileRow,
  limits: ReadingLimits,
  signal: AbortSignal,
): Promise<ReadingOutcome> {
  const bytes = await storage.open(file.path).catch((error: unknown) => {
    if (isKithError(error) && error.code === 'FILE_NOT_FOUND') return undefined;
    throw error;
  });
  if (!bytes) return { end: 'failed', code: 'FILE_BROKEN', detail: 'the bytes of this file are gone' };
  const onChunks = (chunks: Chunk[]) => insertChunks(sql, file, chunks);
  return readFileApart({ mediaType: file.media_type, bytes, limits, onChunks, signal });
}

async function insertChunks(sql: Sql, file: FileRow, chunks: Chunk[]): Promise<void> {
  await sql`
    insert into file_chunks (file_id, user_id, position, page, text, terms)
    select ${file.id}, ${file.user_id}, position, page, text, terms
    from jsonb_to_recordset(${sql.json(chunks.map((chunk) => ({ ...chunk })))})
      as chunk (position integer, page integer, text text, terms text[])`;
}

const dropChunks = (sql: Sql, file: FileRow) =>
  sql`delete from file_chunks where file_id = ${file.id} and user_id = ${file.user_id}`;

async function keep(sql: Sql, file: FileRow, outcome: ReadingOutcome): Promise<void> {
  if (outcome.end === 'read') return keepReading(sql, file, outcome.summary);
  await dropChunks(sql, file);
  if (outcome.end === 'interrupted') {
    await sql`update files set status = 'stored', processing_until = null where id = ${file.id} and user_id = ${file.user_id}`;
    return;
  }
  const { code, detail } = outcome;
  const error: FileError = { code, message: detail && detail !== code ? detail : FILE_ERRORS[code].en };
  await sql`
    update files set status = 'failed', processing_until = null, error = ${sql.json(error)}
    where id = ${file.id} and user_id = ${file.user_id}`;
}

async function keepReading(sql: Sql, file: FileRow, summary: FileSummary): Promise<void> {
  await sql`
    update files set status = 'ready', processing_until = null, error = null, summary = ${sql.json(summary)},
      chunk_count = counted.chunks, term_count = counted.terms
    from (select count(*)::integer as chunks, coalesce(sum(cardinality(terms)), 0) as terms
      from file_chunks where file_id = ${file.id} and user_id = ${file.user_id}) as counted
    where id = ${file.id} and user_id = ${file.user_id}`;
}

/** At most so many at once; the rest wait in line. */
function slots(count: number) {
  let free = count;
  const line: (() => void)[] = [];
  return async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => line.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else free += 1;
    }
  };
}
