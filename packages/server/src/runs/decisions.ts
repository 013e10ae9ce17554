import type { Decision, JsonObject } from '@kith/protocol';
import type { Sql, Transaction } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import { CallDecision } from '../graph/index.ts';
import { appendActions } from './append-actions.ts';

interface WaitingCall {
  tool_call_id: string;
  run_id: string;
  turn: number;
  status: string;
  expired: boolean;
  /** The decision that was made before, if one was. */
  decision: 'approved' | 'rejected' | 'expired' | null;
}

export interface GivenDecision {
  toolCallId: string;
  decision: Decision;
}

/**
 * People's words on calls that wait. The run goes on when none of its calls waits any more: under its own id, or, for a
 * client that resumes under a new one, as a new run of the same turn. Saying the same again changes nothing.
 */
export async function applyDecisions(
  sql: Transaction,
  sessionId: string,
  by: { userId: string; input: { runId: string } },
  given: readonly GivenDecision[],
): Promise<{ id: string; runId: string; status: 'queued' | 'awaiting_approval' | 'repeated' }> {
  const calls = await lockCalls(
    sql,
    sessionId,
    given.map((each) => each.toolCallId),
  );
  const fresh = given.filter((each) => isNew(calls, each));
  const turn = calls[0]?.turn ?? 0;
  const runId = calls[0]?.run_id ?? '';
  if (fresh.length > 0) await recordDecisions(sql, sessionId, turn, by.userId, fresh);
  return goOn(sql, sessionId, { turn, runId, resumeAs: by.input.runId, changed: fresh.length > 0 });
}

async function lockCalls(sql: Transaction, sessionId: string, ids: string[]): Promise<WaitingCall[]> {
  const rows = await sql<WaitingCall[]>`
    select tool_calls.tool_call_id, run_id, turn, status, coalesce(expires_at < now(), false) as expired, approvals.decision
    from tool_calls left join approvals using (session_id, tool_call_id)
    where session_id = ${sessionId} and tool_call_id = any(${ids})
    for update of tool_calls`;
  const missing = ids.find((id) => !rows.some((row) => row.tool_call_id === id));
  if (missing !== undefined) throw errors.TOOL_CALL_NOT_FOUND({ toolCallId: missing });
  return rows;
}

/** A repetition of the same word is harmless; a different one comes too late. */
function isNew(calls: readonly WaitingCall[], given: GivenDecision): boolean {
  const call = calls.find((each) => each.tool_call_id === given.toolCallId);
  if (call?.decision === 'expired') throw errors.APPROVAL_EXPIRED({ toolCallId: given.toolCallId });
  if (call?.decision) {
    if ((call.decision === 'approved') === given.decision.approved) return false;
    throw errors.TOOL_CALL_NOT_PENDING({ toolCallId: given.toolCallId, detail: `It was ${call.decision} before` });
  }
  if (call?.status !== 'awaiting_approval') throw errors.TOOL_CALL_NOT_PENDING({ toolCallId: given.toolCallId });
  if (call.expired) throw errors.APPROVAL_EXPIRED({ toolCallId: given.toolCallId });
  return true;
}

async function recordDecisions(
  sql: Transaction,
  sessionId: string,
  turn: number,
  userId: string,
  given: readonly GivenDecision[],
) {
  for (const { toolCallId, decision } of given) {
    await recordDecision(
      sql,
      { sessionId, turn, toolCallId, decidedBy: userId, decision: decision.approved ? 'approved' : 'rejected' },
      decision,
    );
  }
}

async function recordDecision(
  sql: Transaction,
  row: {
    sessionId: string;
    turn: number;
    toolCallId: string;
    decidedBy: string;
    decision: 'approved' | 'rejected' | 'expired';
  },
  decision: Decision,
): Promise<void> {
  const edited = decision.args ? sql.json(decision.args) : null;
  await sql`
    insert into approvals (session_id, tool_call_id, decided_by, decision, edited_args, reason)
    values (${row.sessionId}, ${row.toolCallId}, ${row.decidedBy}, ${row.decision}, ${edited}, ${decision.reason ?? null})`;
  await sql`
    update tool_calls set status = ${row.decision === 'approved' ? 'approved' : 'rejected'}
    where session_id = ${row.sessionId} and tool_call_id = ${row.toolCallId}`;
  const result: JsonObject = JSON.parse(
    JSON.stringify(
      CallDecision.parse({
        tool_call_id: row.toolCallId,
        approved: decision.approved,
        args: decision.args,
        reason: decision.reason,
      }),
    ),
  );
  await appendActions(sql, row.sessionId, row.turn, [
    { node: 'decision', summary: row.decision, result, next: ['reflection'] },
  ]);
}

/** Puts the run back into the queue once nothing of its turn waits. */
async function goOn(
  sql: Transaction,
  sessionId: string,
  run: { turn: number; runId: string; resumeAs: string; changed: boolean },
): Promise<{ id: string; runId: string; status: 'queued' | 'awaiting_approval' | 'repeated' }> {
  await sql`
    update sessions set state_snapshot = state_snapshot || jsonb_build_object('pending_tool_call_id', (
      select tool_call_id from tool_calls where session_id = ${sessionId} and status = 'awaiting_approval' limit 1))
    where id = ${sessionId}`;
  const [row] = await sql<{ id: string; run_id: string; status: string; waits: boolean }[]>`
    select id, run_id, status, exists (
      select 1 from tool_calls where session_id = ${sessionId} and turn = ${run.turn} and status = 'awaiting_approval') as waits
    from runs where session_id = ${sessionId} and turn = ${run.turn} order by position desc limit 1 for update`;
  if (!row) throw errors.RUN_NOT_FOUND({ runId: run.runId });
  if (!run.changed || row.status !== 'awaiting_approval') return { id: row.id, runId: row.run_id, status: 'repeated' };
  if (row.waits) return { id: row.id, runId: row.run_id, status: 'awaiting_approval' };
  if (run.resumeAs === row.run_id) {
    await sql`update runs set status = 'queued' where id = ${row.id}`;
    return { id: row.id, runId: row.run_id, status: 'queued' };
  }
  const id = await continueAs(sql, row.id, run.resumeAs);
  return { id, runId: run.resumeAs, status: 'queued' };
}

/** The same turn under a new run: the one before has had its terminal event and counts as completed. */
export async function continueAs(sql: Transaction, rowId: string, runId: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    with before as (
      update runs set status = 'completed', finished_at = coalesce(finished_at, now()) where id = ${rowId} returning *
    )
    insert into runs (session_id, user_id, run_id, agent, turn, input)
    select session_id, user_id, ${runId}, agent, turn, input from before returning id`;
  if (!row) throw errors.RUN_NOT_FOUND({ runId });
  return row.id;
}

/** Calls whose time to decide has passed are rejected; gives the threads whose runs now go on. */
export async function expireApprovals(sql: Sql): Promise<string[]> {
  const due = await sql<{ session_id: string; tool_call_id: string; turn: number; run_id: string }[]>`
    select session_id, tool_call_id, turn, run_id from tool_calls
    where status = 'awaiting_approval' and expires_at < now() limit 100`;
  for (const call of due) {
    await sql.begin(async (transaction) => {
      await transaction`select 1 from sessions where id = ${call.session_id} for update`;
      const [still] = await transaction`
        select 1 from tool_calls where session_id = ${call.session_id} and tool_call_id = ${call.tool_call_id}
          and status = 'awaiting_approval' for update`;
      if (!still) return;
      const row = { sessionId: call.session_id, turn: call.turn, toolCallId: call.tool_call_id, decidedBy: 'system' };
      await recordDecision(
        transaction,
        { ...row, decision: 'expired' },
        { approved: false, reason: 'nobody decided in time' },
      );
      await goOn(transaction, call.session_id, {
        turn: call.turn,
        runId: call.run_id,
        resumeAs: call.run_id,
        changed: true,
      });
    });
  }
  return [...new Set(due.map((call) => call.session_id))];
}
