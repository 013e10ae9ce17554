import {
  Action,
  type RecalledMemory,
  Todo,
  TokenUsage,
  type ToolCallStatus,
  type UserAgentContext,
} from '@kith/protocol';
import type { Transaction } from '../db/index.ts';
import { intentRow, type RunInput, type RunState } from '../graph/index.ts';
import { bookModelCalls, type ModelCallRow } from '../models/index.ts';
import { readContext } from '../sessions/index.ts';
import type { ProfileRow, Users } from '../users/index.ts';

/** A run that this process now holds, with everything its graph starts from. */
export interface ClaimedRun {
  state: RunState;
  /** Finished calls of an attempt before this one, which no message carries yet. */
  unattributed: ModelCallRow[];
  /** Tool calls of the turn that are known already, and how they stand. */
  toolCalls: Map<string, ToolCallStatus>;
  /** The last event before this claim's own: where a stream of it begins. */
  eventHead: number;
  /** Whether an earlier attempt died in the middle of its stream. */
  takenOver: boolean;
  cancelRequested: boolean;
}

interface ClaimRow {
  id: string;
  run_id: string;
  attempt: number;
  turn: number;
  session_id: string;
  thread_id: string;
  user_id: string;
  input: RunInput;
  started_at: Date;
  was_open: boolean;
  cancel_requested_at: Date | null;
  event_head: number;
  action_head: number;
  profile: ProfileRow | null;
  has_memories: boolean;
  has_files: boolean;
  /** Whether the turn has actions already: an earlier attempt, or a run that this one continues. */
  begun: boolean;
  current: TurnRow;
  previous: TurnRow | null;
}

interface TurnRow {
  task_goal: string;
  scenario: string;
  output_style: string;
  output_structure: RunState['output_structure'];
  todos: unknown;
  memory: string[];
  usage: unknown;
}

export interface ClaimTools {
  users: Pick<Users, 'contextFrom'>;
  owner: string;
  leaseSeconds: number;
  contextMessages: number;
  /** Recalls memories within the claim, where that takes no model call. */
  recall: (
    sql: Transaction,
    run: { userId: string; prompt: string; user: UserAgentContext },
  ) => Promise<RecalledMemory[] | undefined>;
  newId: () => string;
  now: () => Date;
}

/**
 * Takes the thread's next run, on the database's clock: the oldest that is queued, or one whose holder let the lease run
 * out. Raising `attempt` fences the former holder. Nothing to take: undefined.
 */
export async function claimRun(
  sql: Transaction,
  sessionId: string,
  tools: ClaimTools,
): Promise<ClaimedRun | undefined> {
  const row = await takeRun(sql, sessionId, tools);
  if (!row) return undefined;
  const fresh = row.attempt === 1 && !row.begun;
  const contextMessages = row.input.contextMessages ?? tools.contextMessages;
  const [chat, actions, bookings, toolCalls] = await Promise.all([
    readContext(sql, { sessionId, beforeTurn: row.turn, limit: contextMessages }),
    fresh ? [] : readActions(sql, sessionId, row.turn),
    fresh ? [] : settleOldCalls(sql, sessionId, row.run_id),
    fresh ? [] : readToolCalls(sql, sessionId, row.turn),
  ]);
  const user = row.input.userContext ?? tools.users.contextFrom(row.user_id, row.profile ?? undefined);
  const memory = row.begun
    ? await readMemories(sql, row.user_id, row.current.memory)
    : row.has_memories
      ? await tools.recall(sql, { userId: row.user_id, prompt: row.input.prompt, user })
      : [];
  const inherited = row.begun ? row.current : row.previous;
  const state: RunState = {
    identity: {
      rowId: row.id,
      runId: row.run_id,
      attempt: row.attempt,
      turn: row.turn,
      sessionId,
      threadId: row.thread_id,
      userId: row.user_id,
      startedAt: row.started_at,
    },
    input: row.input,
    user_context: user,
    memory: memory ?? [],
    recalled: memory !== undefined,
    output_style: inherited?.output_style ?? '',
    output_structure: fresh ? [] : row.current.output_structure,
    scenario: inherited?.scenario ?? '',
    task_goal: row.current.task_goal,
    origin_files: [],
    preprocessed_files: { documents: {}, tables: {}, other_files: {} },
    todos: Todo.array().parse(row.current.todos),
    actions,
    chat_history: chat
      .filter((message) => message.metadata.type === 'user_input' || message.metadata.type === 'assistant_output')
      .map(({ role, content }) => ({ role, content })),
    usage: TokenUsage.parse(row.current.usage),
    actionHead: row.action_head,
    hasMemories: row.has_memories,
    hasFiles: row.has_files,
    announcedCall: undefined,
    bookings: [],
    cost: 0n,
    moreWaiting: true,
  };
  if (fresh) await announceRouter(sql, state, tools);
  return {
    state,
    unattributed: bookings,
    toolCalls: new Map(toolCalls.map((call) => [call.tool_call_id, call.status])),
    eventHead: row.event_head,
    takenOver: row.was_open,
    cancelRequested: row.cancel_requested_at !== null,
  };
}

async function takeRun(sql: Transaction, sessionId: string, tools: ClaimTools): Promise<ClaimRow | undefined> {
  const [row] = await sql<ClaimRow[]>`
    with session as (select * from sessions where id = ${sessionId} for update),
    candidate as (
      select runs.id, runs.stream_open from runs, session
      where runs.session_id = session.id
        and (runs.status = 'queued' or (runs.status = 'running' and runs.lease_until < now()))
        and not exists (
          select 1 from runs as held
          where held.session_id = session.id and held.status = 'running' and held.lease_until >= now())
      order by (runs.status = 'running') desc, runs.position limit 1
      for update of runs
    ),
    claimed as (
      update runs set status = 'running', attempt = attempt + 1, stream_open = true, lease_owner = ${tools.owner},
        lease_until = now() + make_interval(secs => ${tools.leaseSeconds}), started_at = coalesce(started_at, now())
      from candidate where runs.id = candidate.id
      returning runs.*, candidate.stream_open as was_open
    ),
    moved as (
      update sessions set status = 'running', updated_at = now(),
        state_snapshot = (sessions.state_snapshot - 'error_id') || '{"status": "running"}',
        event_head = sessions.event_head + case when was_open then 0 else 1 end,
        holder_run = claimed.id, holder_attempt = claimed.attempt
      from claimed where sessions.id = claimed.session_id
    ),
    started as (
      insert into run_events (session_id, seq, run_id, attempt, type, payload)
      select session.id, session.event_head + 1, claimed.run_id, claimed.attempt, 'RUN_STARTED',
        jsonb_build_object('type', 'RUN_STARTED', 'threadId', session.thread_id, 'runId', claimed.run_id)
      from claimed, session where not was_open
    )
    select claimed.id, claimed.run_id, claimed.attempt, claimed.turn, claimed.session_id, claimed.user_id, claimed.input,
      claimed.started_at, claimed.was_open, claimed.cancel_requested_at,
      session.thread_id, session.event_head, session.action_head,
      (select to_jsonb(profiles) from profiles where profiles.user_id = claimed.user_id) as profile,
      exists (select 1 from memories where memories.user_id = claimed.user_id and valid_to is null) as has_memories,
      exists (select 1 from session_files where session_files.session_id = session.id) as has_files,
      exists (select 1 from actions where actions.session_id = session.id and actions.turn = claimed.turn) as begun,
      (select to_jsonb(turns) from turns where turns.session_id = session.id and turns.turn = claimed.turn) as current,
      (select to_jsonb(turns) from turns where turns.session_id = session.id and turns.turn < claimed.turn
        order by turns.turn desc limit 1) as previous
    from claimed, session`;
  return row;
}

async function readActions(sql: Transaction, sessionId: string, turn: number): Promise<Action[]> {
  const rows = await sql`
    select id, node, preparation, summary, result, context, relevance, usage, next
    from actions where session_id = ${sessionId} and turn = ${turn} order by id`;
  return rows.map(({ context, ...rest }) => Action.parse(context === null ? rest : { ...rest, context }));
}

/** What was recalled for this turn before, as far as it is still remembered. */
const readMemories = (sql: Transaction, userId: string, ids: string[]) =>
  ids.length === 0
    ? []
    : sql<RecalledMemory[]>`
        select id, kind, content from memories where user_id = ${userId} and id = any(${ids}::uuid[])
        order by array_position(${ids}::uuid[], id)`;

const readToolCalls = (sql: Transaction, sessionId: string, turn: number) =>
  sql<{ tool_call_id: string; status: ToolCallStatus }[]>`
    select tool_call_id, status from tool_calls where session_id = ${sessionId} and turn = ${turn}`;

/** Calls that a crash cut off are lost, their cost unknown; calls that ended but are in no message yet go on to the next. */
async function settleOldCalls(sql: Transaction, sessionId: string, runId: string): Promise<ModelCallRow[]> {
  await sql`
    update model_calls set status = 'lost', error = 'the process ended during the call', finished_at = now()
    where session_id = ${sessionId} and run_id = ${runId} and status = 'started'`;
  return sql<ModelCallRow[]>`
    select model_calls.*, cost::text as cost from model_calls
    where session_id = ${sessionId} and run_id = ${runId} and message_id is null and status in ('succeeded', 'failed')`;
}

async function announceRouter(sql: Transaction, state: RunState, tools: ClaimTools): Promise<void> {
  const id = tools.newId();
  state.announcedCall = { id, agentType: 'INTENT_RECOGNITION' };
  await bookModelCalls(sql, [intentRow(id, 'INTENT_RECOGNITION', state.identity, tools.now())]);
}
