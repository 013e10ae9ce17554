import type { RunStatus } from '@kith/protocol';
import type { Transaction } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import type { RunInput } from '../graph/index.ts';
import { sessionTitle, visibilityOf } from '../sessions/index.ts';
import { type ClaimedRun, type ClaimTools, claimRun } from './claim.ts';
import { takeClientResults } from './client-results.ts';
import { type ClosedRun, closeQueuedRun } from './close.ts';
import { applyDecisions } from './decisions.ts';
import { type Incoming, readIncoming } from './incoming.ts';
import type { SubmitRequest } from './port.ts';

/** What came of a request, inside its transaction. */
export interface Accepted {
  sessionId: string;
  rowId: string;
  runId: string;
  status: RunStatus;
  after: number;
  repeated: boolean;
  /** The run, if it could start at once in this process. */
  claimed: ClaimedRun | undefined;
  /** Runs that this request cancels: under way (to be told), and queued (already closed). */
  canceling: string[];
  closed: ClosedRun[];
}

export interface SubmitTools extends ClaimTools {
  /** Whether this process may start the run right away. */
  mayStart: () => boolean;
  attachFiles: (sql: Transaction, userId: string, sessionId: string, fileIds: string[]) => Promise<void>;
}

interface LockedSession {
  id: string;
  thread_id: string;
  title: string | null;
  event_head: number;
  turn_head: number;
  runtime_mode: 'chat' | 'automation';
}

interface OpenRun {
  id: string;
  run_id: string;
  status: RunStatus;
  turn: number;
}

/** One transaction: the session, the user's message, the run, and where it is free to start, its start. */
export async function submitRun(sql: Transaction, request: SubmitRequest, tools: SubmitTools): Promise<Accepted> {
  const { userId, input } = request;
  const incoming = readIncoming(input);
  const session = await lockSession(sql, request);
  const { repeated, open } = await lookAround(sql, session.id, input.runId);
  const base = { sessionId: session.id, after: session.event_head, canceling: [], closed: [] };
  const resuming = repeated?.status === 'awaiting_approval' && incoming.decisions.length > 0;
  if (repeated && !resuming) {
    return {
      ...base,
      rowId: repeated.id,
      runId: repeated.run_id,
      status: repeated.status,
      after: 0,
      repeated: true,
      claimed: undefined,
    };
  }
  const busy = open.filter((run) => run.status === 'queued' || run.status === 'running');
  const freed = await applyPolicy(sql, session, busy, request);
  if (incoming.fileIds.length > 0) await tools.attachFiles(sql, userId, session.id, incoming.fileIds);
  const continued = await continueTurn(sql, session, request, incoming);
  if (continued?.runId !== undefined && continued.status !== 'queued') {
    // Said before, or not all of what is asked: the run that this is about, as it stands.
    const [standing] = await sql<{ status: RunStatus }[]>`select status from runs where id = ${continued.id}`;
    const known = { rowId: continued.id, runId: continued.runId, status: standing?.status ?? 'awaiting_approval' };
    return { ...base, ...freed, ...known, after: 0, repeated: true, claimed: undefined };
  }
  const run = continued ?? (await newTurn(sql, session, request, incoming));
  const claimed = tools.mayStart() && busy.length === 0 ? await claimRun(sql, session.id, tools) : undefined;
  return {
    ...base,
    ...freed,
    after: session.event_head + freed.closed.reduce((sum, closed) => sum + closed.events.length, 0),
    rowId: run.id,
    runId: input.runId,
    status: claimed?.state.identity.rowId === run.id ? 'running' : 'queued',
    repeated: false,
    claimed,
  };
}

/** The thread's row, made if it is new, and locked: two requests on one thread take turns. */
async function lockSession(sql: Transaction, { userId, input, mode }: SubmitRequest): Promise<LockedSession> {
  const [row] = await sql<LockedSession[]>`
    insert into sessions (user_id, thread_id, runtime_mode, billing_country_snapshot)
    values (${userId}, ${input.threadId}, ${mode ?? 'chat'},
      coalesce((select upper(settings -> 'preferences' ->> 'country') from profiles where user_id = ${userId}), 'CN'))
    on conflict (user_id, thread_id) do update set updated_at = now()
    returning id, thread_id, title, event_head, turn_head, runtime_mode`;
  if (!row) throw errors.INTERNAL({ detail: 'a session could not be made' });
  return row;
}

/** The run of that id, if it was submitted before, and what is open on the thread. */
async function lookAround(
  sql: Transaction,
  sessionId: string,
  runId: string,
): Promise<{ repeated: OpenRun | undefined; open: OpenRun[] }> {
  const rows = await sql<OpenRun[]>`
    select id, run_id, status, turn from runs
    where session_id = ${sessionId} and status in ('queued', 'running', 'awaiting_approval')
    union all
    select id, run_id, status, turn from runs
    where session_id = ${sessionId} and run_id = ${runId} and status not in ('queued', 'running', 'awaiting_approval')`;
  const open = rows.filter((run) => ['queued', 'running', 'awaiting_approval'].includes(run.status));
  return { repeated: rows.find((run) => run.run_id === runId), open };
}

async function applyPolicy(sql: Transaction, session: LockedSession, busy: OpenRun[], request: SubmitRequest) {
  const policy = request.policy ?? request.input.forwardedProps?.policy ?? 'enqueue';
  if (busy.length === 0 || policy === 'enqueue') return { canceling: [], closed: [] };
  if (policy === 'reject') throw errors.THREAD_BUSY({ threadId: session.thread_id });
  const running = busy.filter((run) => run.status === 'running');
  const closed: ClosedRun[] = [];
  for (const run of busy.filter((each) => each.status === 'queued')) closed.push(await closeQueuedRun(sql, run.id));
  for (const run of running) await sql`update runs set cancel_requested_at = now() where id = ${run.id}`;
  return { canceling: running.map((run) => run.id), closed };
}

/** A request that goes on with a turn: decisions on what waits, or results of the client's tools. */
async function continueTurn(
  sql: Transaction,
  session: LockedSession,
  request: SubmitRequest,
  incoming: Incoming,
): Promise<{ id: string; runId?: string; status?: 'queued' | 'awaiting_approval' | 'repeated' } | undefined> {
  if (incoming.decisions.length > 0) return applyDecisions(sql, session.id, request, incoming.decisions);
  if (incoming.toolResults.length > 0 && incoming.userMessages.length === 0) {
    return takeClientResults(sql, session.id, request, incoming.toolResults);
  }
  return undefined;
}

async function newTurn(
  sql: Transaction,
  session: LockedSession,
  request: SubmitRequest,
  incoming: Incoming,
): Promise<{ id: string }> {
  const prompt = incoming.userMessages.at(-1)?.text;
  if (prompt === undefined) throw errors.NOTHING_TO_ANSWER();
  const known = await knownMessages(sql, session.id, incoming);
  const fresh = incoming.userMessages.filter((message) => !known.has(`${message.clientId}\n${message.text}`));
  const mode = request.mode ?? session.runtime_mode;
  const input = toRunInput(request, incoming, prompt, mode);
  const messages = fresh.map((message) => ({
    content: message.text,
    metadata: {
      type: 'user_input',
      ...(message.clientId ? { client_message_id: message.clientId } : {}),
      ...(incoming.fileIds.length > 0 ? { file_ids: incoming.fileIds } : {}),
    },
  }));
  const [row] = await sql<{ id: string }[]>`
    with head as (
      update sessions set
        turn_head = turn_head + 1,
        message_head = message_head + ${messages.length},
        title = coalesce(title, ${sessionTitle(fresh[0]?.text ?? prompt)}),
        updated_at = now()
      where id = ${session.id}
      returning turn_head as turn, message_head - ${messages.length} as message_base, billing_currency
    ),
    said as (
      insert into messages (session_id, run_id, turn, seq, role, content, metadata, visibility_mask, currency)
      select ${session.id}, ${request.input.runId}, turn, message_base + place, 'user', message ->> 'content', message -> 'metadata',
        ${visibilityOf('user_input', mode)}, billing_currency
      from head, jsonb_array_elements(${sql.json(messages)}::jsonb) with ordinality as entry (message, place)
    ),
    turned as (
      insert into turns (session_id, turn, run_id, prompt) select ${session.id}, turn, ${request.input.runId}, ${prompt} from head
    )
    insert into runs (session_id, user_id, run_id, turn, input)
    select ${session.id}, ${request.userId}, ${request.input.runId}, turn, ${sql.json(JSON.parse(JSON.stringify(input)))} from head
    returning id`;
  if (!row) throw errors.INTERNAL({ detail: 'a run could not be made' });
  return row;
}

/** Messages of a resent transcript that are here already: the same id with the same words. */
async function knownMessages(sql: Transaction, sessionId: string, incoming: Incoming): Promise<Set<string>> {
  const ids = incoming.userMessages.flatMap((message) => (message.clientId ? [message.clientId] : []));
  if (ids.length === 0) return new Set();
  const rows = await sql<{ id: string; content: string }[]>`
    select metadata ->> 'client_message_id' as id, content from messages
    where session_id = ${sessionId} and role = 'user' and metadata ->> 'client_message_id' = any(${ids})`;
  return new Set(rows.map((row) => `${row.id}\n${row.content}`));
}

function toRunInput(request: SubmitRequest, incoming: Incoming, prompt: string, mode: 'chat' | 'automation'): RunInput {
  return {
    prompt,
    mode,
    fileIds: incoming.fileIds,
    clientTools: request.input.tools ?? [],
    clientContext: request.input.context ?? [],
    enabledSkills: request.enabledSkills,
    contextMessages: request.contextMessages,
    userContext: request.userContext,
    protocolVersion: request.input.protocolVersion ?? undefined,
  };
}
