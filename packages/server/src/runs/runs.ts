import type { RunAccepted } from '@kith/protocol';
import type { Database } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import type { Journal } from '../events/index.ts';
import { type ClosedRun, closeQueuedRun } from './close.ts';
import { applyDecisions } from './decisions.ts';
import { listRuns, readRunDetail } from './detail.ts';
import type { Runs, SubmitRequest, Submitted } from './port.ts';
import type { RunQueue, RunSignals } from './queue/queue.ts';
import { type Accepted, type SubmitTools, submitRun } from './submit.ts';
import type { Worker } from './worker.ts';

export interface RunsTools {
  database: Pick<Database, 'sql'>;
  journal: Journal;
  queue: RunQueue;
  signals: RunSignals;
  /** Absent in a process without the worker role. */
  worker: Worker | undefined;
  submit: SubmitTools;
}

export function createRuns(tools: RunsTools): Runs {
  const { sql } = tools.database;
  return {
    submit: (request) => submit(tools, request),
    cancel: (userId, threadId, runId) => cancel(tools, userId, threadId, runId),
    async decide(userId, threadId, toolCallId, decision) {
      const { sessionId, outcome } = await sql.begin(async (transaction) => {
        const [session] = await transaction<{ id: string }[]>`
          select id from sessions where user_id = ${userId} and thread_id = ${threadId} for update`;
        if (!session) throw errors.SESSION_NOT_FOUND({ threadId });
        const [call] = await transaction<{ run_id: string }[]>`
          select run_id from tool_calls where session_id = ${session.id} and tool_call_id = ${toolCallId}`;
        if (!call) throw errors.TOOL_CALL_NOT_FOUND({ toolCallId });
        const by = { userId, input: { runId: call.run_id } };
        return {
          sessionId: session.id,
          outcome: await applyDecisions(transaction, session.id, by, [{ toolCallId, decision }]),
        };
      });
      if (outcome.status === 'queued') await tools.queue.wake(sessionId);
      const status = outcome.status === 'repeated' ? await statusOf(tools, outcome.id) : outcome.status;
      return { threadId, runId: outcome.runId, status };
    },
    detail: (userId, threadId, runId) => readRunDetail(sql, userId, threadId, runId),
    list: (userId, query) => listRuns(sql, userId, query),
  };
}

async function submit(tools: RunsTools, request: SubmitRequest): Promise<Submitted> {
  const accepted = request.transaction
    ? await submitRun(request.transaction, request, { ...tools.submit, mayStart: () => false })
    : await tools.database.sql.begin((transaction) => submitRun(transaction, request, tools.submit));
  // In a caller's transaction nothing is true yet: the caller says when to look again.
  if (!request.transaction) await afterCommit(tools, accepted);
  const { sessionId, runId, status, after, repeated } = accepted;
  return { threadId: request.input.threadId, runId, status, sessionId, after, repeated };
}

/** What others must hear of, once it is true. */
async function afterCommit(tools: RunsTools, accepted: Accepted): Promise<void> {
  publishClosed(tools, accepted.closed);
  for (const rowId of accepted.canceling) await tools.signals.cancel(rowId);
  if (accepted.claimed) tools.worker?.take(accepted.claimed);
  else if (accepted.status === 'queued') await tools.queue.wake(accepted.sessionId);
}

const publishClosed = (tools: RunsTools, closed: readonly ClosedRun[]) => {
  for (const { sessionId, events } of closed) if (events.length > 0) tools.journal.publish(sessionId, events);
};

interface CancelRow {
  id: string;
  run_id: string;
  status: RunAccepted['status'];
  held: boolean;
}

/** Running: its worker is told, and ends it. Anything that nobody holds is ended here. */
async function cancel(tools: RunsTools, userId: string, threadId: string, runId?: string): Promise<RunAccepted> {
  const { rows, closed } = await tools.database.sql.begin(async (sql) => {
    const [session] = await sql<{ id: string }[]>`
      select id from sessions where user_id = ${userId} and thread_id = ${threadId} for update`;
    if (!session) throw errors.SESSION_NOT_FOUND({ threadId });
    const found = await sql<CancelRow[]>`
      select id, run_id, status, status = 'running' and lease_until >= now() as held from runs
      where session_id = ${session.id}
        ${runId === undefined ? sql`and status in ('queued', 'running', 'awaiting_approval')` : sql`and run_id = ${runId}`}
      order by position`;
    if (runId !== undefined && found.length === 0) throw errors.RUN_NOT_FOUND({ runId });
    const ended: ClosedRun[] = [];
    for (const run of found) {
      if (run.held) await sql`update runs set cancel_requested_at = now() where id = ${run.id}`;
      else if (['queued', 'running', 'awaiting_approval'].includes(run.status))
        ended.push(await closeQueuedRun(sql, run.id));
    }
    return { rows: found, closed: ended };
  });
  publishClosed(tools, closed);
  for (const run of rows) if (run.held) await tools.signals.cancel(run.id);
  const last = rows.at(-1);
  if (!last) throw errors.RUN_NOT_ACTIVE({ threadId });
  return { threadId, runId: last.run_id, status: await statusOf(tools, last.id) };
}

async function statusOf(tools: RunsTools, rowId: string): Promise<RunAccepted['status']> {
  const [row] = await tools.database.sql<
    { status: RunAccepted['status'] }[]
  >`select status from runs where id = ${rowId}`;
  return row?.status ?? 'canceled';
}
