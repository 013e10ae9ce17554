import { type KithEvent, type LoggedEvent, TERMINAL_EVENTS } from '@kith/protocol';
import {
  type AgUiReader,
  agUiFrame,
  joinPrelude,
  messagesSnapshot,
  type RunPlace,
  readEvents,
  toAgUi,
} from '../../events/index.ts';
import { readHistory } from '../../sessions/index.ts';
import { type FollowTools, followRun, isInterrupt } from './follow-run.ts';
import type { EventStream } from './sse.ts';

/** One run, told to one AG-UI client. */
export interface AgUiTelling {
  threadId: string;
  runId: string;
  sessionId: string;
  reader: AgUiReader;
  /** The request answers an interrupt. */
  resumes: boolean;
  /**
   * Whether the conversation is told anew at an interrupt and after its answer. CopilotKit holds a stand-in for the result of
   * a decided call, which only a snapshot replaces. assistant-ui gathers a run in one message, which a snapshot takes apart,
   * and the question with it.
   */
  snapshots: boolean;
}

/** Official clients refuse frames of more than 10 MB. */
const SNAPSHOT = { messages: 1000, characters: 4_000_000 };

/** Tells a run from `after` to its end; a prelude may have said its start. Whatever happens, the last frame is a terminal event. */
export async function tellRun(
  tools: FollowTools,
  stream: EventStream,
  telling: AgUiTelling,
  from: { after: number; skipStart: boolean },
): Promise<void> {
  const { sessionId, runId } = telling;
  let { skipStart } = from;
  let ended = false;
  const query = { sessionId, runId, after: from.after, signal: stream.signal, onLag: () => stream.drop() };
  for await (const events of followRun(tools, query)) {
    for (const logged of events) {
      ended = TERMINAL_EVENTS.has(logged.event.type);
      const isSaid = skipStart && logged.event.type === 'RUN_STARTED';
      if (isSaid) skipStart = false;
      else await tell(tools, stream, telling, logged);
    }
  }
  if (!ended) await say(stream, telling, interrupted(telling));
}

/** Joins a run, whether it waits, is under way or has ended. */
export async function tellFromTheMiddle(
  tools: FollowTools,
  stream: EventStream,
  telling: AgUiTelling,
  locate: () => Promise<RunPlace>,
): Promise<void> {
  const soFar = await eventsOf(tools, telling);
  const history = await conversation(tools, telling);
  const run = { threadId: telling.threadId, runId: telling.runId };
  const said = soFar.map(({ event }) => event);
  for (const event of joinPrelude(run, history, said)) await say(stream, telling, event);
  const last = soFar.at(-1);
  if (!last || !TERMINAL_EVENTS.has(last.event.type)) {
    const skipStart = !said.some(({ type }) => type === 'RUN_STARTED');
    return tellRun(tools, stream, telling, { after: last?.seq ?? 0, skipStart });
  }
  // An interrupt that was answered a moment ago: the run is about to start again.
  const { status } = await locate();
  if (isInterrupt(last.event) && (status === 'queued' || status === 'running')) {
    return tellRun(tools, stream, telling, { after: last.seq, skipStart: true });
  }
  return say(stream, telling, last.event, last.seq);
}

/** The conversation as it stands, as a stream that is over at once. */
export async function tellConversation(tools: FollowTools, stream: EventStream, telling: AgUiTelling): Promise<void> {
  const run = { threadId: telling.threadId, runId: telling.runId };
  await say(stream, telling, { type: 'RUN_STARTED', ...run });
  await say(stream, telling, messagesSnapshot(run, await conversation(tools, telling)));
  await say(stream, telling, { type: 'RUN_FINISHED', ...run });
}

async function tell(tools: FollowTools, stream: EventStream, telling: AgUiTelling, { seq, event }: LoggedEvent) {
  const isTurn = isInterrupt(event) || (telling.resumes && event.type === 'RUN_FINISHED');
  if (telling.snapshots && isTurn) {
    await say(stream, telling, messagesSnapshot(telling, await conversation(tools, telling)));
  }
  await say(stream, telling, event, seq);
}

export async function say(
  stream: EventStream,
  { reader }: Pick<AgUiTelling, 'reader'>,
  event: KithEvent,
  seq?: number,
) {
  const frames = toAgUi(event, reader).map((wire, index) => agUiFrame(wire, index === 0 ? seq : undefined));
  await stream.send(frames.join(''));
}

const interrupted = ({ threadId, runId }: AgUiTelling): KithEvent => ({
  type: 'RUN_ERROR',
  threadId,
  runId,
  message: 'the stream was interrupted; the run goes on',
  code: 'STREAM_INTERRUPTED',
});

async function eventsOf({ database }: FollowTools, { sessionId, runId }: AgUiTelling): Promise<LoggedEvent[]> {
  const all: LoggedEvent[] = [];
  for (;;) {
    const page = await readEvents(database.sql, sessionId, { after: all.at(-1)?.seq ?? 0, runId });
    if (page.length === 0) return all;
    all.push(...page);
  }
}

async function conversation({ database }: FollowTools, { sessionId, threadId }: AgUiTelling) {
  const session = { id: sessionId, thread_id: threadId };
  const { messages } = await readHistory(database.sql, session, { limit: SNAPSHOT.messages });
  let room = SNAPSHOT.characters;
  const first = messages.findLastIndex((message) => {
    room -= message.content.length + JSON.stringify(message.metadata).length;
    return room < 0;
  });
  return messages.slice(first + 1);
}
