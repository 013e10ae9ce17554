import type { FileError, FileInfo, FileKind, FilePage, FileStatus, FileSummary } from '@kith/protocol';
import type { Sql, Transaction } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import type { StorageProvider } from './storage/storage.ts';

/** The `files` table. Every statement that shows a file carries the user id: a file of somebody else does not exist. */

export interface FileRow {
  id: string;
  user_id: string;
  name: string;
  media_type: string;
  kind: FileKind;
  size: number;
  sha256: string;
  provider: StorageProvider;
  path: string;
  status: FileStatus;
  processing_until: Date | null;
  error: FileError | null;
  summary: FileSummary | null;
  created_at: Date;
}

export function toFileInfo(row: FileRow): FileInfo {
  const { id, name, media_type, kind, size, sha256, status, error, summary, created_at } = row;
  return { id, name, media_type, kind, size, sha256, status, error, summary, created_at: created_at.toISOString() };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const isFileId = (text: string): boolean => UUID.test(text);

export async function findFile(sql: Sql | Transaction, userId: string, fileId: string): Promise<FileRow> {
  const [row] = UUID.test(fileId)
    ? await sql<FileRow[]>`select * from files where id = ${fileId} and user_id = ${userId}`
    : [];
  if (!row) throw errors.FILE_NOT_FOUND({ fileId });
  return row;
}

/** Whose it is does not matter to the bytes: anybody's row holds them. */
export async function hasRow(sql: Sql, fileId: string): Promise<boolean> {
  return (await sql`select 1 from files where id = ${fileId}`).length > 0;
}

export type NewFile = Pick<
  FileRow,
  'id' | 'user_id' | 'name' | 'media_type' | 'kind' | 'size' | 'sha256' | 'provider' | 'path'
>;

export async function insertFile(sql: Sql | Transaction, file: NewFile): Promise<FileRow> {
  const [row] = await sql<FileRow[]>`insert into files ${sql(file)} returning *`;
  if (!row) throw errors.INTERNAL();
  return row;
}

/** Newest first. The cursor is the last row's time and id, so that rows of the same instant are neither lost nor repeated. */
export async function listFiles(
  sql: Sql,
  userId: string,
  { sessionId, cursor, limit }: { sessionId?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<FilePage> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  const rows = await sql<(FileRow & { moment: string })[]>`
    select *, created_at::text as moment from files where user_id = ${userId}
      ${sessionId ? sql`and id in (select file_id from session_files where session_id = ${sessionId} and user_id = ${userId})` : sql``}
      ${after ? sql`and (created_at, id) < (${after.moment}::text::timestamptz, ${after.id}::uuid)` : sql``}
    order by created_at desc, id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last ? Buffer.from(`${last.moment} ${last.id}`).toString('base64url') : null;
  return { files: page.map(toFileInfo), next_cursor: next };
}

function readCursor(cursor: string): { moment: string; id: string } {
  const [, moment, id] =
    /^([0-9-]{10} [0-9:.]{8,15}[+-][0-9:]{2,5}) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString()) ??
    [];
  if (!moment || !id || !UUID.test(id)) {
    throw errors.REQUEST_INVALID({ fields: [{ field: 'cursor', message: 'is not a cursor of this list' }] });
  }
  return { moment, id };
}

export async function sessionFiles(sql: Sql | Transaction, userId: string, sessionId: string): Promise<FileRow[]> {
  return sql<FileRow[]>`
    select files.* from files join session_files on session_files.file_id = files.id
    where session_files.session_id = ${sessionId} and files.user_id = ${userId}
    order by session_files.position`;
}

/** Attaching twice is attaching once. */
export async function attachFiles(
  sql: Sql | Transaction,
  userId: string,
  sessionId: string,
  fileIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(fileIds)];
  if (ids.length === 0) return;
  const wellFormed = ids.filter((id) => UUID.test(id));
  const found = await sql<{ id: string }[]>`
    select id::text as id from files where user_id = ${userId} and id = any(${wellFormed}::uuid[])`;
  const known = new Set(found.map((row) => row.id));
  const missing = ids.find((id) => !known.has(id.toLowerCase()));
  if (missing !== undefined) throw errors.FILE_NOT_FOUND({ fileId: missing, detail: `there is no file ${missing}` });
  await sql`
    insert into session_files (session_id, file_id, user_id)
    select sessions.id, wanted.id, ${userId}
    from sessions, unnest(${ids}::uuid[]) with ordinality as wanted (id, place)
    where sessions.id = ${sessionId} and sessions.user_id = ${userId}
    order by place
    on conflict (session_id, file_id) do nothing`;
}
