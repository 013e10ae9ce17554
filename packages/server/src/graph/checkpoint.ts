import type { Action, AgentType, Json, KithEvent, LoggedEvent, SessionStatus } from '@kith/protocol';
import { MessageMetadata } from '@kith/protocol';
import type { Database, Sql, Transaction } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import type { Journal, RunJournal } from '../events/index.ts';
import type { ModelCallRow } from '../models/index.ts';
import type { Draft, Standing } from './draft.ts';
import type { RunState } from './state.ts';

export interface CheckpointOptions {
  /** The effect that is to be kept together with its record: both, or neither. */
  work?: (sql: Transaction) => Promise<void>;
  /** The model call that comes next: its intent is written now, so that a crash in it is known. */
  announce?: AgentType | (() => AgentType | undefined) | undefined;
}

/** Keeps what is new. Its cost is that of the news, whatever the thread's length. */
export type Checkpoint = (options?: CheckpointOptions) => Promise<void>;

export interface CheckpointTools {
  database: Pick<Database, 'sql'>;
  journal: Pick<Journal, 'publish'>;
  leaseSeconds: number;
  newId: () => string;
  now: () => Date;
}

export function createCheckpoint(
  tools: CheckpointTools,
  state: RunState,
  draft: Draft,
  runJournal: RunJournal,
  onEvent: (event: KithEvent) => void,
): Checkpoint {
  const { sql } = tools.database;
  let turn: Promise<unknown> = Promise.resolve();

  const keep = async (options: CheckpointOptions) => {
    const said = await runJournal.take();
    const write = async (connection: Sql | Transaction) => {
      const next = typeof options.announce === 'function' ? options.announce() : options.announce;
      if (next) announce(state, draft, next, tools);
      if (draft.standing.run !== 'running') withdraw(state, draft);
      const events = [...said, ...draft.events];
      return { events, base: await writeNews(connection, tools.leaseSeconds, state, draft, events) };
    };
    const { events, base } = await commit(sql, options.work, write).catch((error: unknown) => {
      runJournal.giveBack(said);
      throw error;
    });
    forget(state, draft);
    for (const event of events.slice(said.length)) onEvent(event);
    tools.journal.publish(state.identity.sessionId, numbered(state, events, base));
  };

  // Tools that run at the same time keep their results one after the other.
  return (options = {}) => {
    const mine = turn.then(() => keep(options));
    turn = mine.catch(() => {});
    return mine;
  };
}

/** One statement by itself, or the work and the statement in one transaction. */
async function commit<Written>(
  sql: Sql,
  work: CheckpointOptions['work'],
  write: (connection: Sql | Transaction) => Promise<Written>,
): Promise<Written> {
  if (!work) return write(sql);
  let written: Written | undefined;
  await sql.begin(async (transaction) => {
    await work(transaction);
    written = await write(transaction);
  });
  if (written === undefined) throw new Error('a transaction ended without its statement');
  return written;
}

function announce(state: RunState, draft: Draft, agentType: AgentType, tools: CheckpointTools): void {
  withdraw(state, draft);
  const id = tools.newId();
  state.announcedCall = { id, agentType };
  draft.modelCalls.push(intentRow(id, agentType, state.identity, tools.now()));
}

/** An announced call that will not be made leaves nothing behind. */
function withdraw(state: RunState, draft: Draft): void {
  if (state.announcedCall) draft.withdrawn.push(state.announcedCall.id);
  state.announcedCall = undefined;
}

/** A `model_calls` row of a call that is about to be made. */
export function intentRow(
  id: string,
  agentType: AgentType,
  run: { userId: string; sessionId: string; runId: string },
  now: Date,
): ModelCallRow {
  return {
    id,
    user_id: run.userId,
    session_id: run.sessionId,
    run_id: run.runId,
    message_id: null,
    agent_type: agentType,
    vendor_id: null,
    endpoint_id: null,
    key_id: null,
    model_id: null,
    status: 'started',
    raw_usage: null,
    usage_summary: null,
    input_tokens: null,
    output_tokens: null,
    cached_tokens: null,
    reasoning_tokens: null,
    cost: null,
    currency: 'CNY',
    cost_source: null,
    price_card: null,
    latency_ms: null,
    attempts: 0,
    error: null,
    started_at: now.toISOString(),
    finished_at: null,
  };
}

const numbered = (state: RunState, events: readonly KithEvent[], base: number): LoggedEvent[] =>
  events.map((event, index) => ({ seq: base + index + 1, runId: state.identity.runId, event }));

/** After the commit, nothing of it is new any more. */
function forget(state: RunState, draft: Draft): void {
  draft.events = [];
  draft.messages = [];
  draft.toolCalls = [];
  draft.modelCalls = [];
  draft.withdrawn = [];
  draft.writtenActions = state.actionHead;
  draft.durations.clear();
}

const sessionStatus: Record<Standing['run'], SessionStatus> = {
  running: 'running',
  awaiting_approval: 'running',
  completed: 'completed',
  failed: 'failed',
  canceled: 'failed',
};

const unwrittenActions = (state: RunState, draft: Draft) =>
  state.actions.filter((action) => action.id > draft.writtenActions);

/** Someone's decision about another run may have taken the numbers meanwhile: the commit says which ones these actions got. */
function renumber(state: RunState, actions: readonly Action[], base: number): void {
  for (const [index, action] of actions.entries()) action.id = base + index + 1;
  state.actionHead = base + actions.length;
}

function newsOf(state: RunState, draft: Draft, events: readonly KithEvent[]) {
  const { standing } = draft;
  return {
    run: {
      status: standing.run,
      error_id: 'errorId' in standing ? standing.errorId : null,
      error: 'error' in standing ? standing.error : null,
    },
    session: {
      status: sessionStatus[standing.run],
      error_id: 'errorId' in standing ? standing.errorId : null,
      pending: 'pendingToolCallId' in standing ? standing.pendingToolCallId : null,
      user_context: state.user_context,
    },
    turn: {
      task_goal: state.task_goal,
      scenario: state.scenario,
      output_style: state.output_style,
      output_structure: state.output_structure,
      todos: state.todos,
      // Ids only: the words are the memory's own, and go when it is forgotten.
      memory: state.memory.map((memory) => memory.id),
      usage: state.usage,
    },
    events,
    messages: draft.messages.map((message) => ({ ...message, metadata: MessageMetadata.parse(message.metadata) })),
    actions: unwrittenActions(state, draft).map((action) => ({
      ...action,
      duration_ms: draft.durations.get(action.id) ?? null,
    })),
    // A call that was announced and made in one breath is written as it ended.
    model_calls: [...new Map(draft.modelCalls.map((call) => [call.id, call])).values()],
    tool_calls: draft.toolCalls,
    withdrawn: draft.withdrawn,
  };
}

/** One statement: the fence and the heads, and everything that is new. Gives the event number before its first event. */
async function writeNews(
  sql: Sql | Transaction,
  leaseSeconds: number,
  state: RunState,
  draft: Draft,
  events: readonly KithEvent[],
): Promise<number> {
  const { identity } = state;
  const news = newsOf(state, draft, events);
  const unwritten = unwrittenActions(state, draft);
  const audits = draft.messages.filter((message) => message.audit).length;
  const visible = draft.messages.length - audits;
  const [row] = await sql<{ event_base: number; action_base: number; more_waiting: boolean }[]>`
    with input as (select ${sql.json(JSON.parse(JSON.stringify(news)) as Json)}::jsonb as news),
    heads as (
      update sessions set
        event_head = event_head + ${events.length},
        message_head = message_head + ${visible},
        audit_head = audit_head + ${audits},
        action_head = action_head + ${unwritten.length},
        holder_run = case when news -> 'run' ->> 'status' = 'running' then holder_run end,
        status = news -> 'session' ->> 'status',
        state_snapshot = jsonb_strip_nulls(jsonb_build_object(
            'status', news -> 'session' ->> 'status', 'error_id', news -> 'session' ->> 'error_id'))
          || jsonb_build_object('pending_tool_call_id', coalesce(news -> 'session' ->> 'pending', (
            select tool_call_id from tool_calls
            where tool_calls.session_id = sessions.id and tool_calls.status = 'awaiting_approval' limit 1))),
        user_context = news -> 'session' -> 'user_context',
        -- Lists are ordered by it: a run moves its thread when it ends, not at every step.
        updated_at = case when sessions.status = news -> 'session' ->> 'status' then sessions.updated_at else now() end
      from input
      -- The fence: only the attempt that holds the thread writes.
      where id = ${identity.sessionId} and holder_run = ${identity.rowId} and holder_attempt = ${identity.attempt}
      returning sessions.id, sessions.billing_currency,
        event_head - ${events.length} as event_base,
        message_head - ${visible} as message_base,
        audit_head - ${audits} as audit_base,
        action_head - ${unwritten.length} as action_base
    ),
    run_written as (
      update runs set
        status = news -> 'run' ->> 'status',
        error_id = news -> 'run' ->> 'error_id',
        error = news -> 'run' ->> 'error',
        stream_open = news -> 'run' ->> 'status' = 'running',
        lease_owner = case when news -> 'run' ->> 'status' = 'running' then lease_owner end,
        lease_until = case when news -> 'run' ->> 'status' = 'running' then now() + make_interval(secs => ${leaseSeconds}) end,
        finished_at = case when news -> 'run' ->> 'status' in ('completed', 'failed', 'canceled') then now() end
      from heads, input where runs.id = ${identity.rowId}
    ),
    turn_written as (
      update turns set
        task_goal = news -> 'turn' ->> 'task_goal',
        scenario = news -> 'turn' ->> 'scenario',
        output_style = news -> 'turn' ->> 'output_style',
        output_structure = news -> 'turn' -> 'output_structure',
        todos = news -> 'turn' -> 'todos',
        memory = news -> 'turn' -> 'memory',
        usage = news -> 'turn' -> 'usage'
      from heads, input where turns.session_id = heads.id and turns.turn = ${identity.turn}
    ),
    events_written as (
      insert into run_events (session_id, seq, run_id, attempt, type, payload)
      select heads.id, event_base + place, ${identity.runId}, ${identity.attempt}, event ->> 'type', event
      from heads, input, jsonb_array_elements(news -> 'events') with ordinality as entry (event, place)
    ),
    messages_written as (
      insert into messages (id, session_id, run_id, turn, seq, role, content, metadata, visibility_mask, input_tokens, output_tokens, cost, currency)
      select entry.id, heads.id, ${identity.runId}, ${identity.turn},
        case when audit
          then -(audit_base + count(*) filter (where audit) over (order by place))
          else message_base + count(*) filter (where not audit) over (order by place) end,
        role, content, metadata, visibility_mask, input_tokens, output_tokens, cost, billing_currency
      from heads, input, rows from (jsonb_to_recordset(news -> 'messages') as (
        id uuid, audit boolean, role text, content text, metadata jsonb, visibility_mask integer,
        input_tokens integer, output_tokens integer, cost numeric)) with ordinality
        as entry (id, audit, role, content, metadata, visibility_mask, input_tokens, output_tokens, cost, place)
    ),
    actions_written as (
      insert into actions (session_id, turn, id, node, preparation, summary, result, context, relevance, usage, next, duration_ms)
      select heads.id, ${identity.turn}, action_base + place, node, preparation, summary, result, context, relevance, usage, next, duration_ms
      from heads, input, rows from (jsonb_to_recordset(news -> 'actions') as (
        node text, preparation text, summary text, result jsonb, context jsonb, relevance real, usage jsonb, next jsonb,
        duration_ms integer)) with ordinality
        as entry (node, preparation, summary, result, context, relevance, usage, next, duration_ms, place)
    ),
    calls_written as (
      insert into model_calls
      select entry.* from heads, input, jsonb_populate_recordset(null::model_calls, news -> 'model_calls') as entry
      on conflict (id) do update set
        message_id = excluded.message_id, vendor_id = excluded.vendor_id, endpoint_id = excluded.endpoint_id,
        key_id = excluded.key_id, model_id = excluded.model_id, status = excluded.status, raw_usage = excluded.raw_usage,
        usage_summary = excluded.usage_summary, input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens,
        cached_tokens = excluded.cached_tokens, reasoning_tokens = excluded.reasoning_tokens, cost = excluded.cost,
        cost_source = excluded.cost_source, price_card = excluded.price_card, latency_ms = excluded.latency_ms,
        attempts = excluded.attempts, error = excluded.error, finished_at = excluded.finished_at
    ),
    withdrawn as (
      delete from model_calls using heads, input
      where model_calls.status = 'started' and news -> 'withdrawn' ? model_calls.id::text
        and model_calls.session_id = heads.id and model_calls.run_id = ${identity.runId}
    ),
    tools_written as (
      insert into tool_calls (session_id, tool_call_id, run_id, turn, module, method, args, status, result, expires_at, finished_at)
      select heads.id, entry.tool_call_id, ${identity.runId}, ${identity.turn}, module, method, args, status, result, expires_at,
        case when finished then now() end
      from heads, input, jsonb_to_recordset(news -> 'tool_calls') as entry (
        tool_call_id text, module text, method text, args jsonb, status text, result jsonb, expires_at timestamptz, finished boolean)
      on conflict (session_id, tool_call_id) do update set
        run_id = excluded.run_id, args = excluded.args, status = excluded.status, result = excluded.result,
        expires_at = excluded.expires_at, finished_at = excluded.finished_at
    )
    select event_base, action_base, exists (
      select 1 from runs where runs.session_id = heads.id and runs.status = 'queued') as more_waiting
    from heads`;
  if (!row) throw errors.LEASE_LOST({ runId: identity.runId });
  state.moreWaiting = row.more_waiting;
  renumber(state, unwritten, row.action_base);
  return row.event_base;
}
