import type { Decision } from '@kith/protocol';
import { isApiError, randomId } from '../../api/index.ts';
import { followEvents } from './event-stream.ts';
import { waitBeforeRetry } from './patience.ts';
import { cancelRun, decideCall, fetchHistory, fetchRecentRuns, fetchRun, submitRun } from './requests.ts';
import { type PendingMessage, type Row, reuseRows, rowsOf } from './rows.ts';
import { applyEvent, approvalsOf, newRunView, type RunView } from './run-view.ts';
import {
  activeRun,
  emptyThread,
  isAnswering,
  type ThreadState,
  withNewest,
  withOlder,
  withoutPending,
  withPending,
  withRun,
  withStanding,
} from './thread-state.ts';

/** What a page draws; a new object only when something in it changed, and at most one per frame. */
export interface ThreadSnapshot {
  phase: ThreadState['phase'];
  error: unknown;
  rows: readonly Row[];
  hasOlder: boolean;
  isLoadingOlder: boolean;
  isConnected: boolean;
  /** The run that is being answered, which `stop` would stop. */
  answering: RunView | undefined;
}

export interface ThreadStore {
  readonly threadId: string;
  subscribe(listener: () => void): () => void;
  snapshot(): ThreadSnapshot;
  /** A page shows the thread: it is loaded and followed until the page leaves. */
  open(): () => void;
  loadOlder(): void;
  send(message: { text: string; fileIds: readonly string[] }): void;
  resend(runId: string): void;
  /** Takes back a message that did not get through. */
  discard(runId: string): void;
  stop(runId: string): Promise<void>;
  decide(runId: string, toolCallId: string, decision: Decision): Promise<void>;
}

export interface ThreadStoreOptions {
  threadId: string;
  /** Made on this page a moment ago: there is nothing to load. */
  isNew: boolean;
  /** Something changed that others show too: the list of sessions, the totals. */
  onChange: () => void;
}

/** A thread: its history, what is being said, and everything one can do with it. */
export function createThreadStore({ threadId, isNew, onChange }: ThreadStoreOptions): ThreadStore {
  let state: ThreadState = { ...emptyThread, phase: isNew ? 'new' : 'loading' };
  let shown = snapshotOf(state, []);
  let frame = 0;
  let visit: AbortController | undefined;
  let isFollowing = false;
  let submitting = Promise.resolve();
  const listeners = new Set<() => void>();
  const lastEventIds = new Map<string, string>();

  const draw = () => {
    frame = 0;
    shown = snapshotOf(state, shown.rows);
    for (const listener of listeners) listener();
  };
  const change = (next: ThreadState) => {
    state = next;
    // A hidden page gets no frames; it draws when it is looked at again.
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  const changeRun = (runId: string, next: (run: RunView) => RunView) =>
    change(withRun(state, next(state.runs.get(runId) ?? newRunView(runId))));

  const load = async (signal: AbortSignal) => {
    try {
      const [history, { runs }] = await Promise.all([
        fetchHistory(threadId, undefined, signal),
        fetchRecentRuns(threadId, signal),
      ]);
      change(withStanding({ ...withNewest(state, history), phase: 'ready', error: null, isConnected: true }, runs));
      for (const { runId, status } of runs) if (status === 'awaiting_approval') void loadApprovals(runId, signal);
      void follow();
    } catch (error) {
      if (signal.aborted) return;
      if (isApiError(error, 'SESSION_NOT_FOUND')) change({ ...state, phase: isNew ? 'new' : 'missing' });
      else if (state.phase === 'ready') change({ ...state, isConnected: false });
      else change({ ...state, phase: 'failed', error });
    }
  };
  const loadApprovals = async (runId: string, signal?: AbortSignal) => {
    const detail = await fetchRun(threadId, runId, signal);
    if (detail.status !== 'awaiting_approval') return;
    changeRun(runId, (run) => ({ ...run, phase: 'waiting', approvals: approvalsOf(detail) }));
  };

  /** One stream at a time: a thread runs one thing at a time, and a browser has six connections. */
  const follow = async () => {
    if (isFollowing) return;
    isFollowing = true;
    for (let run = activeRun(state); run && visit && !visit.signal.aborted; run = activeRun(state)) {
      await followToEnd(run.runId, visit.signal);
    }
    isFollowing = false;
  };
  const followToEnd = async (runId: string, signal: AbortSignal) => {
    // From the start: what was known of it is told again.
    if (!lastEventIds.has(runId)) changeRun(runId, ({ phase }) => newRunView(runId, phase));
    const end = await followEvents({
      threadId,
      runId,
      signal,
      lastEventId: () => lastEventIds.get(runId),
      onConnection: (isConnected) => change({ ...state, isConnected }),
      onEvent: (event, id) => {
        if (id !== undefined) lastEventIds.set(runId, id);
        changeRun(runId, (run) => applyEvent(run, event));
        if (event.type === 'RUN_STARTED') onChange();
      },
    });
    if (end === 'aborted') return;
    if (end !== 'ended') {
      lastEventIds.delete(runId);
      changeRun(runId, (run) => ({ ...run, phase: 'ended', step: null }));
    }
    // The history knows what events do not: what it cost, what was learned.
    await load(signal);
    onChange();
  };

  const submit = async (message: PendingMessage) => {
    for (let failures = 0; ; failures++) {
      try {
        const { status } = await submitRun(threadId, message);
        const sent = withPending(state, { ...message, state: 'sent', error: null });
        const run = newRunView(message.runId, status === 'running' ? 'running' : 'queued');
        change(withRun({ ...sent, phase: 'ready', isConnected: true }, state.runs.get(message.runId) ?? run));
        onChange();
        void follow();
        return;
      } catch (error) {
        // Not reached: nothing is lost, and the same message may safely be sent again.
        const isUnreached = isApiError(error) && (error.status === 0 || error.status === 503);
        if (!isUnreached) {
          const reason = error instanceof Error ? error.message : String(error);
          change(withPending(state, { ...message, state: 'failed', error: reason }));
          return;
        }
        change({ ...state, isConnected: false });
        await waitBeforeRetry(failures, new AbortController().signal);
      }
    }
  };
  const enqueue = (message: PendingMessage) => {
    change(withPending(state, message));
    submitting = submitting.then(() => submit(message));
  };

  return {
    threadId,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => shown,
    open() {
      const controller = new AbortController();
      visit = controller;
      const look = () => {
        if (document.visibilityState === 'visible' && state.phase !== 'new') void load(controller.signal);
      };
      document.addEventListener('visibilitychange', look);
      window.addEventListener('online', look);
      if (state.phase !== 'new') void load(controller.signal);
      else void follow();
      return () => {
        controller.abort();
        document.removeEventListener('visibilitychange', look);
        window.removeEventListener('online', look);
      };
    },
    loadOlder() {
      if (state.older === null || state.isLoadingOlder) return;
      change({ ...state, isLoadingOlder: true });
      fetchHistory(threadId, state.older, visit?.signal).then(
        (page) => change(withOlder(state, page)),
        () => change({ ...state, isLoadingOlder: false }),
      );
    },
    send({ text, fileIds }) {
      const at = new Date().toISOString();
      enqueue({ runId: randomId(), messageId: randomId(), text, fileIds, at, state: 'sending', error: null });
    },
    resend(runId) {
      const message = state.pending.find((each) => each.runId === runId);
      if (message) enqueue({ ...message, state: 'sending', error: null });
    },
    discard: (runId) => change(withoutPending(state, runId)),
    async stop(runId) {
      await cancelRun(threadId, runId);
      // A run that waits for approval has no stream that would tell.
      if (state.runs.get(runId)?.phase === 'waiting' && visit) await load(visit.signal);
    },
    async decide(runId, toolCallId, decision) {
      const { status } = await decideCall(threadId, toolCallId, decision);
      changeRun(runId, (run) => ({
        ...run,
        phase: status === 'awaiting_approval' ? 'waiting' : 'queued',
        approvals: run.approvals.filter((approval) => approval.toolCallId !== toolCallId),
      }));
      void follow();
    },
  };
}

function snapshotOf(state: ThreadState, before: readonly Row[]): ThreadSnapshot {
  const active = activeRun(state);
  return {
    phase: state.phase,
    error: state.error,
    rows: reuseRows(before, rowsOf(state)),
    hasOlder: state.older !== null,
    isLoadingOlder: state.isLoadingOlder,
    isConnected: state.isConnected,
    answering: isAnswering(active) ? active : undefined,
  };
}
