import { randomUUID } from 'node:crypto';
import type { KithEvent, LoggedEvent } from '@kith/protocol';
import type { Transaction } from '../db/index.ts';

/** A run that was ended without a worker: what must be published once the transaction has committed. */
export interface ClosedRun {
  sessionId: string;
  events: LoggedEvent[];
}

interface ClosedRow {
  session_id: string;
  run_id: string;
  thread_id: string;
  event_base: number;
}

/** Ends a run that nobody holds, as canceled: queued, waiting for approval, or left behind by a dead worker. */
export async function closeQueuedRun(sql: Transaction, rowId: string): Promise<ClosedRun> {
  const errorId = randomUUID();
  const [row] = await sql<ClosedRow[]>`
    with ended as (
      update runs set status = 'canceled', attempt = attempt + 1, error_id = ${errorId}, error = 'RUN_CANCELED',
        lease_owner = null, lease_until = null, stream_open = false, finished_at = now()
      where id = ${rowId} and status in ('queued', 'running', 'awaiting_approval')
      returning session_id, run_id, attempt, started_at
    ),
    dropped as (
      update tool_calls set status = 'rejected', finished_at = now() from ended
      where tool_calls.session_id = ended.session_id and tool_calls.run_id = ended.run_id and tool_calls.status = 'awaiting_approval'
    ),
    head as (
      update sessions set event_head = event_head + 1, updated_at = now(),
        holder_run = case when holder_run <> ${rowId} then holder_run end,
        status = case when exists (select 1 from runs where runs.session_id = sessions.id and runs.status = 'running' and runs.id <> ${rowId})
          then sessions.status else 'failed' end,
        state_snapshot = sessions.state_snapshot || jsonb_build_object('pending_tool_call_id', null) || case
          when exists (select 1 from runs where runs.session_id = sessions.id and runs.status = 'running' and runs.id <> ${rowId})
          then '{}'::jsonb else jsonb_build_object('status', 'failed', 'error_id', ${errorId}::text) end
      from ended where sessions.id = ended.session_id
      returning sessions.id, sessions.thread_id, event_head - 1 as event_base
    ),
    said as (
      insert into run_events (session_id, seq, run_id, attempt, type, payload)
      select head.id, event_base + 1, ended.run_id, ended.attempt, 'RUN_ERROR', jsonb_build_object(
        'type', 'RUN_ERROR', 'threadId', head.thread_id, 'runId', ended.run_id,
        'message', 'run canceled by user', 'code', 'RUN_CANCELED', 'error_id', ${errorId}::text)
      from head, ended
    )
    select ended.session_id, ended.run_id, head.thread_id, head.event_base from ended, head`;
  if (!row) return { sessionId: '', events: [] };
  const event: KithEvent = {
    type: 'RUN_ERROR',
    threadId: row.thread_id,
    runId: row.run_id,
    message: 'run canceled by user',
    code: 'RUN_CANCELED',
    error_id: errorId,
  };
  return { sessionId: row.session_id, events: [{ seq: row.event_base + 1, runId: row.run_id, event }] };
}
