import { randomUUID } from 'node:crypto';
import { SocketRequest, type UserAgentContext } from '@kith/protocol';
import type { RawData, WebSocket } from 'ws';
import type { Config } from '../../config/index.ts';
import { errors, fieldErrorsOf, isKithError, type KithError } from '../../errors/index.ts';
import { locateRun } from '../../events/index.ts';
import type { Caller } from '../../identity/index.ts';
import type { Log, Metrics } from '../../observability/index.ts';
import type { Runs } from '../../runs/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { Users } from '../../users/index.ts';
import type { FollowTools } from '../streaming/follow-run.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { createRate } from './rate.ts';
import { createSubscriptions, type Subscriptions } from './subscriptions.ts';

export interface SocketServices extends FollowTools {
  config: Config;
  metrics: Pick<Metrics, 'readers'>;
  runs: Runs;
  sessions: Sessions;
  users: Users;
}

/** What a connection knows while it lasts. */
interface Conversation {
  services: SocketServices;
  userId: string;
  outbox: Outbox;
  subscriptions: Subscriptions;
  /** The thread of messages that name none. */
  threadId: string;
  /** What the client said of its user: it stands for every later message. */
  context: UserAgentContext | undefined;
}

type Request<Type extends SocketRequest['type']> = Extract<SocketRequest, { type: Type }>;

/** Messages that wait for those before them; more is a flood. */
const MOST_WAITING = 100;

export function holdConversation(
  services: SocketServices,
  socket: WebSocket,
  caller: Caller,
  log: Pick<Log, 'error'>,
): void {
  const outbox = createOutbox(socket);
  const fail = (error: unknown, request?: unknown) => {
    const known = isKithError(error) ? error : errors.INTERNAL({}, error);
    if (known.status >= 500) log.error({ err: known.cause ?? known, code: known.code }, 'a socket message failed');
    return outbox.send({ type: 'error', ...replyTo(request), payload: toProblem(known) });
  };
  const subscriptions = createSubscriptions({
    tools: services,
    outbox,
    onLag: () => socket.terminate(),
    onError: fail,
  });
  const conversation: Conversation = {
    services,
    userId: caller.userId,
    outbox,
    subscriptions,
    threadId: randomUUID(),
    context: undefined,
  };
  const rate = createRate(services.config.server.rateLimit);
  // One after the other: a chat must find the context that was set just before it.
  let turn = Promise.resolve();
  let waiting = 0;
  socket.on('message', (data, isBinary) => {
    if (!rate.take() || waiting >= MOST_WAITING) return void fail(errors.RATE_LIMITED());
    waiting++;
    turn = turn.then(async () => {
      const raw = isBinary ? undefined : readJson(data);
      await handle(conversation, raw).catch((error) => fail(error, raw));
      waiting--;
    });
  });
  socket.on('close', () => subscriptions.close());
  // Reported by `close`; without a listener it would end the process.
  socket.on('error', () => {});
}

async function handle(conversation: Conversation, raw: unknown): Promise<void> {
  if (raw === undefined) throw errors.REQUEST_INVALID({ fields: [{ field: 'message', message: 'is not JSON' }] });
  const { success, data: request, error } = SocketRequest.safeParse(raw);
  if (!success) throw errors.REQUEST_INVALID({ fields: fieldErrorsOf(error, 'message') });
  switch (request.type) {
    case 'set_user_context':
      return setContext(conversation, request);
    case 'chat':
      return chat(conversation, request);
    case 'cancel':
      await conversation.services.runs.cancel(
        conversation.userId,
        threadOf(conversation, request),
        request.payload.run_id,
      );
      return;
    case 'decision':
      return decide(conversation, request);
    case 'subscribe':
      return subscribe(conversation, request);
    case 'ping': {
      const { payload } = request;
      return conversation.outbox.send({
        type: 'pong',
        ...replyTo(request),
        ...(payload === undefined ? {} : { payload }),
      });
    }
  }
}

async function setContext(conversation: Conversation, request: Request<'set_user_context'>): Promise<void> {
  const context = await conversation.services.users.contextFromRequest(conversation.userId, request.payload);
  conversation.context = context;
  await conversation.outbox.send({ type: 'user_context', ...replyTo(request), payload: context });
}

async function chat(conversation: Conversation, request: Request<'chat'>): Promise<void> {
  const { message, user_id, run_id = randomUUID(), file_ids, policy } = request.payload;
  if (user_id !== undefined && user_id !== conversation.userId) throw errors.NOT_YOUR_DATA();
  const { runs } = conversation.services;
  const submitted = await runs.submit({
    userId: conversation.userId,
    input: {
      threadId: threadOf(conversation, request),
      runId: run_id,
      messages: [{ id: randomUUID(), role: 'user', content: message }],
      ...(file_ids ? { forwardedProps: { file_ids } } : {}),
    },
    policy,
    userContext: conversation.context,
  });
  const { sessionId, runId, after } = submitted;
  if (!conversation.subscriptions.follows(sessionId)) conversation.subscriptions.add({ sessionId, runId, after });
}

async function decide(conversation: Conversation, request: Request<'decision'>): Promise<void> {
  const { tool_call_id, approved, args, reason } = request.payload;
  const threadId = threadOf(conversation, request);
  const { database, runs, sessions } = conversation.services;
  const { id: sessionId, event_head: after } = await sessions.find(conversation.userId, threadId);
  const { runId } = await runs.decide(conversation.userId, threadId, tool_call_id, { approved, args, reason });
  if (conversation.subscriptions.follows(sessionId)) return;
  const place = await locateRun(database.sql, { userId: conversation.userId, threadId, runId });
  conversation.subscriptions.add({ sessionId: place.sessionId, runId, after });
}

async function subscribe(conversation: Conversation, request: Request<'subscribe'>): Promise<void> {
  const { run_id: runId, cursor } = request.payload;
  const { database, sessions } = conversation.services;
  const threadId = threadOf(conversation, request);
  const { userId } = conversation;
  const { id: sessionId, event_head: head } = await sessions.find(userId, threadId);
  if (runId !== undefined) await locateRun(database.sql, { userId, threadId, runId });
  const after = cursor === undefined ? (runId === undefined ? head : 0) : Number.parseInt(cursor, 10);
  if (after > head) {
    const message = 'is beyond the last event of this thread';
    throw errors.REQUEST_INVALID({ fields: [{ field: 'payload.cursor', message }] });
  }
  conversation.subscriptions.add({ sessionId, runId, after });
}

const threadOf = (
  conversation: Conversation,
  { payload }: Request<'chat' | 'cancel' | 'decision' | 'subscribe'>,
): string => payload.thread_id ?? payload.session_id ?? conversation.threadId;

function replyTo(request: unknown): { reply_to?: string } {
  if (typeof request !== 'object' || request === null || !('id' in request)) return {};
  return typeof request.id === 'string' ? { reply_to: request.id } : {};
}

const toProblem = ({ code, status, message, fields }: KithError) => ({
  code,
  status,
  message,
  ...(fields.length > 0 ? { errors: [...fields] } : {}),
});

function readJson(data: RawData): unknown {
  try {
    return JSON.parse(data.toString());
  } catch {
    return undefined;
  }
}
