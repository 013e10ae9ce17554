import { isApiError } from '../../api/index.ts';
import { followEvents } from './event-stream.ts';
import { fetchHistory, fetchRecentRuns, fetchRun } from './requests.ts';
import { applyEvent, approvalsOf, newRunView } from './run-view.ts';
import type { ThreadModel } from './thread-model.ts';
import { activeRun, withNewest, withOlder, withStanding } from './thread-state.ts';

/** Brings in what the server knows of a thread: the history, and what is going on. */
export interface ThreadReader {
  /** Reads until the signal ends it. */
  begin(signal: AbortSignal): void;
  /** Fetches what is newest, and follows what is under way. */
  load(): Promise<void>;
  loadOlder(): Promise<void>;
  /** Follows the runs that are under way, if that is not happening already. */
  follow(): Promise<void>;
}

export interface ReaderOptions {
  threadId: string;
  model: ThreadModel;
  onChange: () => void;
}

export function createReader({ threadId, model, onChange }: ReaderOptions): ThreadReader {
  let visit = AbortSignal.abort();
  let isFollowing = false;
  const lastEventIds = new Map<string, string>();

  const load = async () => {
    const signal = visit;
    try {
      const [history, { runs }] = await Promise.all([
        fetchHistory(threadId, undefined, signal),
        fetchRecentRuns(threadId, signal),
      ]);
      const loaded = { ...withNewest(model.state(), history), phase: 'ready' as const, error: null, isConnected: true };
      model.change(withStanding(loaded, runs));
      // What the list does not say: what a run waits for, and why the last one failed.
      const open = runs.filter(
        ({ status }, index) => status === 'awaiting_approval' || (status === 'failed' && index === 0),
      );
      await Promise.all(open.map(({ runId }) => loadDetail(runId, signal)));
    } catch (error) {
      if (!signal.aborted) tellFailure(model, error);
    }
    void follow();
  };

  const loadDetail = async (runId: string, signal: AbortSignal) => {
    const detail = await fetchRun(threadId, runId, signal);
    if (detail.status === 'awaiting_approval') {
      model.changeRun(runId, (run) => ({ ...run, phase: 'waiting', approvals: approvalsOf(detail) }));
    } else if (detail.status === 'failed') {
      const failure = { code: detail.error ?? 'INTERNAL', message: '', errorId: detail.error_id };
      model.changeRun(runId, (run) => ({ ...run, failure: { ...failure, message: run.failure?.message ?? '' } }));
    }
  };

  /** One stream at a time: a thread runs one thing at a time, and a browser has six connections. */
  const follow = async () => {
    if (isFollowing) return;
    isFollowing = true;
    for (let run = activeRun(model.state()); run && !visit.aborted; run = activeRun(model.state())) {
      await followToEnd(run.runId, visit);
    }
    isFollowing = false;
  };

  const followToEnd = async (runId: string, signal: AbortSignal) => {
    // From the start: what was known of it is told again.
    if (!lastEventIds.has(runId)) model.changeRun(runId, ({ phase }) => newRunView(runId, phase));
    const end = await followEvents({
      threadId,
      runId,
      signal,
      lastEventId: () => lastEventIds.get(runId),
      onConnection: (isConnected) => model.change({ isConnected }),
      onEvent: (event, id) => {
        if (id !== undefined) lastEventIds.set(runId, id);
        model.changeRun(runId, (run) => applyEvent(run, event));
        if (event.type === 'RUN_STARTED') onChange();
      },
    });
    if (end === 'aborted') return;
    if (end !== 'ended') {
      lastEventIds.delete(runId);
      model.changeRun(runId, (run) => ({ ...run, phase: 'ended', step: null }));
    }
    // The history knows what events do not: what it cost, what was learned.
    await load();
    onChange();
  };

  const loadOlder = async () => {
    const { older, isLoadingOlder } = model.state();
    if (older === null || isLoadingOlder) return;
    model.change({ isLoadingOlder: true });
    try {
      const page = await fetchHistory(threadId, older, visit);
      model.change(withOlder(model.state(), page));
    } catch {
      model.change({ isLoadingOlder: false });
    }
  };

  return {
    begin(signal) {
      visit = signal;
    },
    load,
    loadOlder,
    follow,
  };
}

function tellFailure(model: ThreadModel, error: unknown): void {
  const { phase } = model.state();
  if (isApiError(error, 'SESSION_NOT_FOUND')) model.change({ phase: 'missing' });
  else if (phase === 'ready') model.change({ isConnected: false });
  else model.change({ phase: 'failed', error });
}
