import type { HistoryMessage, HistoryPage, RunSummary } from '@kith/protocol';
import type { PendingMessage } from './rows.ts';
import { newRunView, type RunView } from './run-view.ts';

/** Everything known of a thread. Changed only by the functions of this file and by the store. */
export interface ThreadState {
  /** `new`: nothing was said yet, and the server does not know of it. */
  phase: 'new' | 'loading' | 'ready' | 'missing' | 'failed';
  error: unknown;
  messages: readonly HistoryMessage[];
  /** The cursor to older messages; null when the first one is here. */
  older: number | null;
  isLoadingOlder: boolean;
  pending: readonly PendingMessage[];
  runs: ReadonlyMap<string, RunView>;
  /** Whether the server is being heard, where it should be. */
  isConnected: boolean;
}

export const emptyThread: ThreadState = {
  phase: 'loading',
  error: null,
  messages: [],
  older: null,
  isLoadingOlder: false,
  pending: [],
  runs: new Map(),
  isConnected: true,
};

/** The newest page, laid over what is known. Where it does not reach down to that, it stands alone. */
export function withNewest(state: ThreadState, page: HistoryPage): ThreadState {
  const first = page.messages[0]?.seq ?? 0;
  const newestKnown = state.messages.at(-1)?.seq ?? 0;
  const joins = page.next_before === null || newestKnown >= first - 1;
  const kept = joins ? state.messages.filter((message) => message.seq < first) : [];
  const messages = [...kept, ...page.messages];
  return withMessages({ ...state, older: joins && kept.length > 0 ? state.older : page.next_before }, messages);
}

export const withOlder = (state: ThreadState, page: HistoryPage): ThreadState =>
  withMessages({ ...state, older: page.next_before, isLoadingOlder: false }, [...page.messages, ...state.messages]);

/** A message that the history shows is pending no longer. */
function withMessages(state: ThreadState, messages: readonly HistoryMessage[]): ThreadState {
  const said = new Set(messages.flatMap(({ role, run_id: runId }) => (role === 'user' && runId ? [runId] : [])));
  return { ...state, messages, pending: state.pending.filter(({ runId }) => !said.has(runId)) };
}

export const withRun = (state: ThreadState, run: RunView): ThreadState => ({
  ...state,
  runs: new Map(state.runs).set(run.runId, run),
});

export const withPending = (state: ThreadState, message: PendingMessage): ThreadState => {
  const place = state.pending.findIndex(({ runId }) => runId === message.runId);
  return {
    ...state,
    pending: place === -1 ? [...state.pending, message] : state.pending.with(place, message),
  };
};

export const withoutPending = (state: ThreadState, runId: string): ThreadState => ({
  ...state,
  pending: state.pending.filter((message) => message.runId !== runId),
});

/** How the list of runs says that they stand; what events have told of a run is told better. */
export function withStanding(state: ThreadState, summaries: readonly RunSummary[]): ThreadState {
  const runs = new Map(state.runs);
  for (const { runId, status } of summaries.toReversed()) {
    const known = runs.get(runId);
    const view = known ?? newRunView(runId);
    if (status === 'queued' || status === 'running') runs.set(runId, goingOn(view, status));
    else if (status === 'awaiting_approval') runs.set(runId, { ...view, phase: 'waiting' });
    else if (status === 'completed') runs.delete(runId);
    else if (!known?.failure) runs.set(runId, { ...view, phase: 'ended', step: null, failure: failureOf(status) });
  }
  return { ...state, runs };
}

const goingOn = (view: RunView, status: 'queued' | 'running'): RunView =>
  view.phase === 'running' ? view : { ...view, phase: status, approvals: [], failure: null };

const failureOf = (status: 'failed' | 'canceled') => ({
  code: status === 'canceled' ? 'RUN_CANCELED' : 'RUN_FAILED',
  message: '',
  errorId: null,
});

/** The run under way, or the next to be. */
export const activeRun = (state: ThreadState): RunView | undefined => {
  const runs = [...state.runs.values()];
  return runs.find(({ phase }) => phase === 'running') ?? runs.find(({ phase }) => phase === 'queued');
};

/** Whether somebody is still waiting for an answer: what is learned afterwards keeps nobody waiting. */
export const isAnswering = (run: RunView | undefined): boolean =>
  run !== undefined && run.step !== 'memory' && (run.phase === 'running' || run.phase === 'queued');
