import type { RunStatus } from '@kith/protocol';
import type { Sql } from '../db/index.ts';
import { errors } from '../errors/index.ts';

/** Where a run stands in its thread's log. */
export interface RunPlace {
  sessionId: string;
  status: RunStatus;
  /** The thread's last event. */
  head: number;
  /** The run's last event so far; 0 when it has none. */
  lastSeq: number;
}

export async function locateRun(
  sql: Sql,
  { userId, threadId, runId }: { userId: string; threadId: string; runId: string },
): Promise<RunPlace> {
  const [row] = await sql<{ id: string; status: RunStatus | null; event_head: number; last_seq: number | null }[]>`
    select sessions.id, sessions.event_head, runs.status,
      (select max(seq) from run_events where session_id = sessions.id and run_id = ${runId}) as last_seq
    from sessions left join runs on runs.session_id = sessions.id and runs.run_id = ${runId}
    where sessions.user_id = ${userId} and sessions.thread_id = ${threadId}`;
  if (!row) throw errors.SESSION_NOT_FOUND({ threadId });
  if (!row.status) throw errors.RUN_NOT_FOUND({ runId });
  return { sessionId: row.id, status: row.status, head: row.event_head, lastSeq: row.last_seq ?? 0 };
}

export const hasEnded = ({ status }: Pick<RunPlace, 'status'>): boolean =>
  status === 'completed' || status === 'failed' || status === 'canceled';

/** Whether the run went on after this event: an interrupt is only the end for as long as nobody has answered it. */
export async function wentOn(sql: Sql, sessionId: string, runId: string, seq: number): Promise<boolean> {
  const [row] = await sql<{ later: boolean }[]>`
    select exists (select 1 from run_events where session_id = ${sessionId} and run_id = ${runId} and seq > ${seq}) as later`;
  return row?.later ?? false;
}

/** Whether the log still has every event of the span: token deltas are dropped some time after their run. */
export async function isWhole(sql: Sql, sessionId: string, after: number, upTo: number): Promise<boolean> {
  const [row] = await sql<{ kept: number }[]>`
    select count(*) as kept from run_events where session_id = ${sessionId} and seq > ${after} and seq <= ${upTo}`;
  return row?.kept === upTo - after;
}
