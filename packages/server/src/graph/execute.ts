import { randomUUID } from 'node:crypto';
import { JsonObject, type KithEvent, type ToolCallStatus } from '@kith/protocol';
import { mergeUsage, parsePico, UsageSummary } from '../billing/index.ts';
import { rolledBack } from '../db/index.ts';
import { errors, isKithError, type KithError } from '../errors/index.ts';
import { closings, type Journal, type OpenSpans, track } from '../events/index.ts';
import type { ModelCallRow } from '../models/index.ts';
import type { Log } from '../observability/index.ts';
import { type CheckpointTools, createCheckpoint, intentRow } from './checkpoint.ts';
import { book, type Draft, newDraft, type Standing, writeMessage } from './draft.ts';
import { nodes } from './nodes/index.ts';
import { process } from './processor.ts';
import type { GraphRooms, RunServices } from './services.ts';
import { asJson, type RunState } from './state.ts';
import { createRunStream, runOf } from './stream.ts';

export interface Execution {
  state: RunState;
  unattributed: ModelCallRow[];
  toolCalls: ReadonlyMap<string, ToolCallStatus>;
  /** What an attempt before this one said and left open. */
  openSpans: OpenSpans;
  /** Messages of the thread, for clients that saw a text which is now void. */
  snapshot: KithEvent | undefined;
}

export interface ExecutionTools extends Omit<CheckpointTools, 'journal'> {
  journal: Journal;
  log: Log;
}

/** How a run left this process: `ended` as it now stands, `lost` to another worker, or `given_back` to be taken up again. */
export type Departure = { how: 'ended'; standing: Standing } | { how: 'lost' } | { how: 'given_back' };

/** Why a run is aborted from outside; the abort signal's reason. */
export class RunStopped extends Error {
  readonly why: 'canceled' | 'drained' | 'lease_lost';
  constructor(why: RunStopped['why']) {
    super(`the run was ${why}`);
    this.why = why;
  }
}

/** Runs the graph from where the state stands to an end, and makes every ending a legal one. */
export async function executeRun(
  execution: Execution,
  rooms: GraphRooms,
  tools: ExecutionTools,
  signal: AbortSignal,
): Promise<Departure> {
  const { state } = execution;
  const draft = newDraft(state.actionHead);
  draft.unattributed.push(...execution.unattributed);
  const { services, spans } = servicesFor(execution, rooms, tools, draft, signal);
  try {
    for (const event of closings(spans, runOf(state))) services.say(event);
    if (execution.snapshot) services.say(execution.snapshot);
    await process(state, nodes, services);
    return { how: 'ended', standing: draft.standing };
  } catch (error) {
    const stopped = signal.aborted && signal.reason instanceof RunStopped ? signal.reason : undefined;
    if (stopped?.why === 'drained') return { how: 'given_back' };
    if (stopped?.why === 'lease_lost' || (isKithError(error) && error.code === 'LEASE_LOST')) return { how: 'lost' };
    return await endBadly(state, services, spans, stopped ? errors.RUN_CANCELED() : asKnown(error, tools.log));
  }
}

const asKnown = (error: unknown, log: Log): KithError => {
  if (isKithError(error)) return error;
  log.error({ err: error }, 'a run failed for a reason that is ours');
  return errors.INTERNAL({}, error);
};

/** A failure or a cancellation: everything open is closed, the calls made so far are booked, and the session knows why. */
async function endBadly(
  state: RunState,
  services: RunServices,
  spans: OpenSpans,
  error: KithError,
): Promise<Departure> {
  const canceled = error.code === 'RUN_CANCELED';
  const errorId = randomUUID();
  const message = canceled ? 'run canceled by user' : 'runtime execution failed';
  const { draft } = services;
  services.log.warn({ errorId, code: error.code }, message);
  // What nodes had prepared but not kept is dropped: it did not happen. What was spent is kept.
  draft.events = [];
  draft.messages = [];
  draft.toolCalls = [];
  state.actions = state.actions.filter((action) => action.id <= draft.writtenActions);
  state.actionHead = draft.writtenActions;
  const unkept = draft.modelCalls.filter((call) => call.status !== 'started');
  for (const call of unkept) call.message_id = null;
  draft.unattributed = [...new Set([...draft.unattributed, ...unkept])];
  writeMessage(draft, state.input.mode, 'audit', {
    id: services.newId(),
    role: 'assistant',
    content: `${error.code}: ${error.message}`,
    metadata: { type: 'assistant_output', stage: 'worker', status: 'failed', error_id: errorId },
  });
  draft.standing = { run: canceled ? 'canceled' : 'failed', errorId, error: error.code };
  for (const event of closings(spans, runOf(state))) services.say(event);
  draft.events.push({ type: 'RUN_ERROR', ...runOf(state), message, code: error.code, error_id: errorId });
  try {
    await services.checkpoint();
    return { how: 'ended', standing: draft.standing };
  } catch (failure) {
    return { how: isKithError(failure) && failure.code === 'LEASE_LOST' ? 'lost' : 'given_back' };
  }
}

function servicesFor(
  execution: Execution,
  rooms: GraphRooms,
  tools: ExecutionTools,
  draft: Draft,
  signal: AbortSignal,
) {
  const { state, openSpans: spans } = execution;
  const { sessionId, rowId, attempt, runId } = state.identity;
  const began = performance.now();
  const runJournal = tools.journal.open({ sessionId, rowId, attempt, runId });
  const say = (event: KithEvent) => {
    track(spans, event);
    runJournal.say(event);
  };
  const checkpoint = createCheckpoint(tools, state, draft, runJournal, (event) => track(spans, event));
  const services: RunServices = {
    ...rooms,
    draft,
    say,
    checkpoint,
    tryOut: (work) => rolledBack(tools.database.sql, work),
    stream: createRunStream(state, spans, say),
    book: (bookings) => {
      book(draft, bookings);
      state.bookings.push(...bookings);
      for (const call of bookings) state.cost += call.cost === null ? 0n : parsePico(call.cost);
    },
    announceRepair: async (callId, agentType) => {
      draft.modelCalls.push(intentRow(callId, agentType, state.identity, tools.now()));
      await checkpoint();
    },
    usageSummary: () => {
      const summaries = state.bookings.flatMap((call) =>
        call.usage_summary ? [UsageSummary.parse(call.usage_summary)] : [],
      );
      return JsonObject.parse(asJson(mergeUsage(summaries)));
    },
    announcedTools: new Set(execution.toolCalls.keys()),
    startedBefore: (toolCallId) => execution.toolCalls.get(toolCallId) === 'started',
    elapsedMs: () => performance.now() - began,
    signal,
    log: tools.log.child({ runId }),
  };
  return { services, spans };
}
