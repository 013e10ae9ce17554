import type { MemoryOrigin, MemoryPage, MemoryQuery, StoredMemory, StoredMemoryKind } from '@kith/protocol';
import { z } from 'zod';
import type { Sql, Transaction } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import { isMemoryId } from './ledger.ts';

/** Reads memories as their user sees them. */

export interface StoredRow {
  id: string;
  kind: StoredMemoryKind;
  content: string;
  source: MemoryOrigin;
  valid_from: Date;
  valid_to: Date | null;
  superseded_by: string | null;
  uses: number;
  last_used_at: Date | null;
  created_at: Date;
}

export const columns = (sql: Sql | Transaction) =>
  sql`memory.id, kind, content, source, valid_from, valid_to, superseded_by, uses, last_used_at, created_at`;

/**
 * Memories by their ids, one look at the primary key each. Said in this way because the embedded database keeps no
 * statistics: asked for ids and a user at once, it would read all that the user has and pick from that.
 */
export const memoriesById = (sql: Sql | Transaction, wanted: ReturnType<typeof columns>) => sql`
  (${wanted}) as wanted cross join lateral (select * from memories where memories.id = wanted.id offset 0) as memory`;

export const toStored = (row: StoredRow): StoredMemory => ({
  id: row.id,
  kind: row.kind,
  content: row.content,
  source: row.source,
  valid_from: row.valid_from.toISOString(),
  valid_to: row.valid_to?.toISOString() ?? null,
  superseded_by: row.superseded_by,
  uses: row.uses,
  last_used_at: row.last_used_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
});

export async function listMemories(
  sql: Sql,
  userId: string,
  { kind, status, cursor, limit }: Pick<MemoryQuery, 'kind' | 'status' | 'cursor' | 'limit'>,
): Promise<MemoryPage> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  // The instant goes around as text: a JavaScript date would lose its microseconds, and with them rows between pages.
  const rows = await sql<(StoredRow & { instant: string })[]>`
    select ${columns(sql)}, created_at::text as instant from memories memory
    where user_id = ${userId}
      ${kind ? sql`and kind = ${kind}` : sql``}
      ${status === 'live' ? sql`and valid_to is null` : sql``}
      ${after ? sql`and (created_at, id) < (${after.instant}::text::timestamptz, ${after.id}::uuid)` : sql``}
    order by created_at desc, id desc
    limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { memories: page.map(toStored), next_cursor: last ? writeCursor(last) : null };
}

export async function findMemory(sql: Sql | Transaction, userId: string, memoryId: string): Promise<StoredMemory> {
  const [row] = isMemoryId(memoryId)
    ? await sql<StoredRow[]>`select ${columns(sql)} from memories memory where user_id = ${userId} and id = ${memoryId}`
    : [];
  if (!row) throw errors.MEMORY_NOT_FOUND({ memoryId });
  return toStored(row);
}

/** Page by page, so that a user with very many memories can take them along too. */
export async function* exportMemories(sql: Sql, userId: string): AsyncGenerator<StoredMemory> {
  let after = { instant: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
  for (;;) {
    const rows = await sql<(StoredRow & { instant: string })[]>`
      select ${columns(sql)}, created_at::text as instant from memories memory
      where user_id = ${userId} and (created_at, id) > (${after.instant}::text::timestamptz, ${after.id}::uuid)
      order by created_at, id limit 500`;
    const last = rows.at(-1);
    if (!last) return;
    yield* rows.map(toStored);
    after = { instant: last.instant, id: last.id };
  }
}

const Cursor = z.tuple([z.string().regex(/^[\d: .+-]{10,40}$/), z.uuid()]);
const writeCursor = ({ instant, id }: { instant: string; id: string }): string =>
  Buffer.from(JSON.stringify([instant, id])).toString('base64url');

function readCursor(cursor: string): { instant: string; id: string } {
  try {
    const [instant, id] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (Number.isNaN(Date.parse(instant))) throw new RangeError('not an instant');
    return { instant, id };
  } catch {
    throw errors.REQUEST_INVALID({ fields: [{ field: 'cursor', message: 'expected a next_cursor' }] });
  }
}
