import { KithEvent, type LoggedEvent } from '@kith/protocol';
import type { Sql } from '../db/index.ts';

/** Reading the log: the truth of every stream. Writing is the checkpoint's and the journal's business. */

interface EventRow {
  seq: number;
  run_id: string;
  payload: unknown;
}

const toEvent = (row: EventRow): LoggedEvent => ({
  seq: row.seq,
  runId: row.run_id,
  event: KithEvent.parse(row.payload),
});

/** Events of a thread after `after`, oldest first, of one run or of all. */
export async function readEvents(
  sql: Sql,
  sessionId: string,
  options: { after: number; runId?: string | undefined; limit?: number },
): Promise<LoggedEvent[]> {
  const rows = await sql<EventRow[]>`
    select seq, run_id, payload from run_events
    where session_id = ${sessionId} and seq > ${options.after}
      ${options.runId === undefined ? sql`` : sql`and run_id = ${options.runId}`}
    order by seq limit ${options.limit ?? 1000}`;
  return rows.map(toEvent);
}

/** Drops the token deltas of runs that ended long ago; what they said is in the END event and in the messages. */
export async function dropOldDeltas(sql: Sql, olderThanSeconds: number): Promise<number> {
  const rows = await sql`
    delete from run_events where type in ('TEXT_MESSAGE_CONTENT', 'REASONING_MESSAGE_CONTENT')
      and created_at < now() - make_interval(secs => ${olderThanSeconds})
      and not exists (
        select 1 from runs where runs.session_id = run_events.session_id and runs.run_id = run_events.run_id
          and runs.status in ('queued', 'running', 'awaiting_approval'))`;
  return rows.count;
}
