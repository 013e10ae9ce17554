import { Action, ModelCallDetail, RunDetail, type RunSummary, Todo, ToolCallDetail } from '@kith/protocol';
import type { Sql } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import { AskedApproval } from '../graph/index.ts';
import { sessionUsage } from '../sessions/index.ts';

interface RunRow {
  session_id: string;
  thread_id: string;
  run_id: string;
  status: RunDetail['status'];
  turn: number;
  attempt: number;
  error_id: string | null;
  error: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  todos: unknown;
  title: string | null;
  prompt: string | null;
}

/** Enough of a prompt to know a run by. */
const PROMPT_CHARACTERS = 200;

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A run as the console shows it: what it did, what it used, what it waits for. */
export async function readRunDetail(sql: Sql, userId: string, threadId: string, runId: string): Promise<RunDetail> {
  const [run] = await sql<RunRow[]>`
    select runs.*, sessions.thread_id, sessions.title, turns.todos, left(turns.prompt, ${PROMPT_CHARACTERS}) as prompt from runs
      join sessions on sessions.id = runs.session_id
      left join turns on turns.session_id = runs.session_id and turns.turn = runs.turn
    where runs.user_id = ${userId} and sessions.user_id = ${userId} and sessions.thread_id = ${threadId} and runs.run_id = ${runId}`;
  if (!run) throw errors.RUN_NOT_FOUND({ runId });
  const [actions, toolCalls, modelCalls, usage] = await Promise.all([
    readActions(sql, run),
    readToolCalls(sql, run),
    readModelCalls(sql, run),
    sessionUsage(sql, run.session_id, runId),
  ]);
  const previews = previewsOf(actions);
  return RunDetail.parse({
    threadId: run.thread_id,
    runId: run.run_id,
    title: run.title,
    prompt: run.prompt ?? '',
    status: run.status,
    turn: run.turn,
    attempt: run.attempt,
    error_id: run.error_id,
    error: run.error,
    created_at: iso(run.created_at),
    started_at: iso(run.started_at),
    finished_at: iso(run.finished_at),
    actions,
    todos: Todo.array().parse(run.todos ?? []),
    tool_calls: toolCalls.map((call) => ({ ...call, preview: previews.get(call.tool_call_id) })),
    model_calls: modelCalls,
    usage,
  });
}

/** What a person was shown of each call that they were asked about. */
function previewsOf(actions: readonly Action[]): Map<string, ToolCallDetail['preview']> {
  const asked = actions.flatMap((action) => (action.node === 'approval' ? [AskedApproval.parse(action.result)] : []));
  return new Map(asked.map(({ tool_call_id, preview }) => [tool_call_id, preview]));
}

async function readActions(sql: Sql, run: RunRow) {
  const rows = await sql`
    select id, node, preparation, summary, result, context, relevance, usage, next, duration_ms, created_at
    from actions where session_id = ${run.session_id} and turn = ${run.turn} order by id`;
  return rows.map(({ context, duration_ms, created_at, ...rest }) => ({
    ...Action.parse(context === null ? rest : { ...rest, context }),
    at: iso(created_at),
    duration_ms,
  }));
}

async function readToolCalls(sql: Sql, run: RunRow) {
  const rows = await sql`
    select tool_call_id, module, method, args, status, result, expires_at, started_at, finished_at
    from tool_calls where session_id = ${run.session_id} and turn = ${run.turn} order by started_at, tool_call_id`;
  return rows.map(({ module, method, ...row }) =>
    ToolCallDetail.parse({
      ...row,
      tool_name: module === 'client' || module === '' ? method : `${module}.${method}`,
      expires_at: iso(row.expires_at),
      started_at: iso(row.started_at),
      finished_at: iso(row.finished_at),
    }),
  );
}

async function readModelCalls(sql: Sql, run: RunRow) {
  const rows = await sql`
    select id, agent_type, vendor_id as vendor, model_id as model, status, input_tokens, output_tokens, cached_tokens,
      reasoning_tokens, trim_scale(cost)::text as cost, cost_source, price_card, latency_ms, error, started_at
    from model_calls where session_id = ${run.session_id} and run_id = ${run.run_id} order by started_at, id`;
  return rows.map((row) => ModelCallDetail.parse({ ...row, started_at: iso(row.started_at) }));
}

/** A user's runs, newest first. */
export async function listRuns(
  sql: Sql,
  userId: string,
  query: { limit: number; before?: string | undefined; status?: string | undefined; threadId?: string | undefined },
): Promise<RunSummary[]> {
  const rows = await sql<(RunRow & { cost: string | null })[]>`
    select runs.*, sessions.thread_id, sessions.title, left(turns.prompt, ${PROMPT_CHARACTERS}) as prompt, (
        select case when bool_and(cost is not null) then trim_scale(sum(cost))::text end from model_calls
        where model_calls.session_id = runs.session_id and model_calls.run_id = runs.run_id) as cost
    from runs join sessions on sessions.id = runs.session_id
      left join turns on turns.session_id = runs.session_id and turns.turn = runs.turn
    where runs.user_id = ${userId} and sessions.user_id = ${userId}
      ${query.status ? sql`and runs.status = ${query.status}` : sql``}
      ${query.threadId ? sql`and sessions.thread_id = ${query.threadId}` : sql``}
      ${query.before ? sql`and runs.created_at < ${query.before}::text::timestamptz` : sql``}
    order by runs.created_at desc limit ${query.limit}`;
  return rows.map((row) => ({
    threadId: row.thread_id,
    runId: row.run_id,
    title: row.title,
    prompt: row.prompt ?? '',
    status: row.status,
    cost: row.cost,
    created_at: row.created_at.toISOString(),
    started_at: iso(row.started_at),
    finished_at: iso(row.finished_at),
  }));
}
