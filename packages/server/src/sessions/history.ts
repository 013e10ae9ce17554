import {
  CONTEXT_ASSEMBLY,
  type HistoryMessage,
  type HistoryPage,
  MessageMetadata,
  MessageRole,
  UI_HISTORY,
} from '@kith/protocol';
import type { Sql, Transaction } from '../db/index.ts';

interface MessageRow {
  id: string;
  seq: number;
  run_id: string | null;
  role: string;
  content: string;
  metadata: unknown;
  input_tokens: number | null;
  output_tokens: number | null;
  cost: string | null;
  currency: string;
  created_at: Date;
}

export interface HistoryQuery {
  before?: number | undefined;
  limit: number;
}

/** What the user's page shows: the newest page, ascending inside, with a cursor to older ones. */
export async function readHistory(
  sql: Sql,
  session: { id: string; thread_id: string },
  query: HistoryQuery,
): Promise<HistoryPage> {
  const rows = await sql<MessageRow[]>`
    select id, seq, run_id, role, content, metadata, input_tokens, output_tokens, trim_scale(cost)::text as cost, currency, created_at
    from messages where session_id = ${session.id} and seq > 0 and (visibility_mask & ${UI_HISTORY}) <> 0
      ${query.before === undefined ? sql`` : sql`and seq < ${query.before}`}
    order by seq desc limit ${query.limit + 1}`;
  const page = rows.slice(0, query.limit).map(toHistoryMessage).reverse();
  return {
    threadId: session.thread_id,
    messages: page,
    next_before: rows.length > query.limit ? (page[0]?.seq ?? null) : null,
  };
}

/** The stages' raw results (seq < 0): for administrators. */
export async function readAudit(sql: Sql, sessionId: string, limit: number): Promise<HistoryMessage[]> {
  const rows = await sql<MessageRow[]>`
    select id, seq, run_id, role, content, metadata, input_tokens, output_tokens, trim_scale(cost)::text as cost, currency, created_at
    from messages where session_id = ${sessionId} and seq < 0 order by seq limit ${limit}`;
  return rows.map(toHistoryMessage);
}

function toHistoryMessage(row: MessageRow): HistoryMessage {
  return {
    ...row,
    role: MessageRole.parse(row.role),
    metadata: MessageMetadata.parse(row.metadata),
    created_at: row.created_at.toISOString(),
  };
}

export interface ContextMessage {
  role: 'user' | 'assistant' | 'tool' | 'system';
  content: string;
  metadata: MessageMetadata;
}

/** The newest `limit` messages of earlier turns that a run may read. The cost does not depend on the thread's length. */
export async function readContext(
  sql: Sql | Transaction,
  query: { sessionId: string; beforeTurn: number; limit: number },
): Promise<ContextMessage[]> {
  if (query.limit === 0) return [];
  const rows = await sql<{ role: string; content: string; metadata: unknown }[]>`
    select role, content, metadata from messages
    where session_id = ${query.sessionId} and seq > 0 and (visibility_mask & ${CONTEXT_ASSEMBLY}) <> 0
      and turn < ${query.beforeTurn}
    order by turn desc, seq desc limit ${query.limit}`;
  return rows
    .map((row) => ({
      role: MessageRole.parse(row.role),
      content: row.content,
      metadata: MessageMetadata.parse(row.metadata),
    }))
    .reverse();
}
