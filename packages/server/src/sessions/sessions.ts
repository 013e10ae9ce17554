import {
  type MessageMetadata,
  type Session,
  type SessionInput,
  type SessionPage,
  type SessionPatch,
  UI_HISTORY,
  UserAgentContext,
} from '@kith/protocol';
import type { Database, Sql } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import type { SessionRow } from './message.ts';

export interface Sessions {
  create(userId: string, input: SessionInput, context: UserAgentContext): Promise<Session>;
  list(
    userId: string,
    query: { limit: number; cursor?: string | undefined; search?: string | undefined },
  ): Promise<SessionPage>;
  /** The row of one's own thread; anybody else's does not exist. */
  find(userId: string, threadId: string): Promise<SessionRow>;
  rename(userId: string, threadId: string, patch: SessionPatch): Promise<Session>;
  remove(userId: string, threadId: string): Promise<void>;
  /** Puts words of the server's own into the history. No later run takes them for something that was said to it. */
  tell(userId: string, threadId: string, content: string): Promise<void>;
}

export function createSessions({ sql }: Pick<Database, 'sql'>): Sessions {
  const find = async (userId: string, threadId: string): Promise<SessionRow> => {
    const [row] = await sql<SessionRow[]>`select * from sessions where user_id = ${userId} and thread_id = ${threadId}`;
    if (!row) throw errors.SESSION_NOT_FOUND({ threadId });
    return row;
  };
  return {
    find,
    create: (userId, input, context) => createSession(sql, userId, input, context),
    list: (userId, query) => listSessions(sql, userId, query),
    async rename(userId, threadId, patch) {
      const [row] = await sql<SessionRow[]>`
        update sessions set title = ${patch.title}, updated_at = now()
        where user_id = ${userId} and thread_id = ${threadId} returning *`;
      if (!row) throw errors.SESSION_NOT_FOUND({ threadId });
      return toSession(row);
    },
    async remove(userId, threadId) {
      const session = await find(userId, threadId);
      const gone = await sql`
        delete from sessions where id = ${session.id} and user_id = ${userId}
          and not exists (select 1 from runs where session_id = ${session.id} and status = 'running')`;
      if (gone.count === 0)
        throw errors.THREAD_BUSY({ threadId, detail: 'Cancel the run under way before deleting its session' });
    },
    tell: (userId, threadId, content) => tell(sql, userId, threadId, content),
  };
}

async function createSession(
  sql: Sql,
  userId: string,
  input: SessionInput,
  context: UserAgentContext,
): Promise<Session> {
  const country = 'settings' in context ? context.settings.preferences.country : 'CN';
  const [row] = await sql<SessionRow[]>`
    with made as (select gen_random_uuid() as id)
    insert into sessions (id, user_id, thread_id, title, user_context, billing_country_snapshot)
    select id, ${userId}, coalesce(${input.thread_id ?? null}, id::text), ${input.title ?? null}, ${sql.json(context)}, ${country} from made
    on conflict (user_id, thread_id) do nothing returning *`;
  if (!row) throw errors.THREAD_EXISTS({ threadId: input.thread_id });
  return toSession(row);
}

async function tell(sql: Sql, userId: string, threadId: string, content: string): Promise<void> {
  const metadata: MessageMetadata = { type: 'assistant_output', stage: 'worker', status: 'failed' };
  const told = await sql`
    with head as (
      update sessions set message_head = message_head + 1, updated_at = now()
      where user_id = ${userId} and thread_id = ${threadId} returning id, turn_head, message_head, billing_currency
    )
    insert into messages (session_id, turn, seq, role, content, metadata, visibility_mask, currency)
    select id, turn_head, message_head, 'assistant', ${content}, ${sql.json(metadata)}, ${UI_HISTORY}, billing_currency
    from head`;
  if (told.count === 0) throw errors.SESSION_NOT_FOUND({ threadId });
}

/** Newest first. The cursor is the last row's time and id, so that rows of the same instant are neither lost nor repeated. */
async function listSessions(
  sql: Sql,
  userId: string,
  query: { limit: number; cursor?: string | undefined; search?: string | undefined },
): Promise<SessionPage> {
  const after = query.cursor ? readCursor(query.cursor) : undefined;
  const pattern = query.search ? `%${query.search.replaceAll(/[\\%_]/g, '\\$&')}%` : undefined;
  const rows = await sql<(SessionRow & { moment: string })[]>`
    select *, updated_at::text as moment from sessions where user_id = ${userId}
      ${pattern ? sql`and title ilike ${pattern}` : sql``}
      ${after ? sql`and (updated_at, id) < (${after.moment}::text::timestamptz, ${after.id}::uuid)` : sql``}
    order by updated_at desc, id desc limit ${query.limit + 1}`;
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    sessions: page.map(toSession),
    next_cursor:
      rows.length > query.limit && last ? Buffer.from(`${last.moment} ${last.id}`).toString('base64url') : null,
  };
}

function readCursor(cursor: string): { moment: string; id: string } {
  const text = Buffer.from(cursor, 'base64url').toString();
  const parts = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d(?::\d\d)?) ([0-9a-f-]{36})$/.exec(text);
  if (!parts?.[1] || !parts[2]) {
    throw errors.REQUEST_INVALID({ fields: [{ field: 'cursor', message: 'is not a cursor of this list' }] });
  }
  return { moment: parts[1], id: parts[2] };
}

export function toSession(row: SessionRow): Session {
  const context = UserAgentContext.safeParse(row.user_context);
  return {
    id: row.id,
    thread_id: row.thread_id,
    user_id: row.user_id,
    title: row.title,
    status: row.status,
    state_snapshot: row.state_snapshot,
    runtime_mode: row.runtime_mode,
    user_context: context.success ? context.data : null,
    billing_currency: row.billing_currency,
    billing_country_snapshot: row.billing_country_snapshot,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
