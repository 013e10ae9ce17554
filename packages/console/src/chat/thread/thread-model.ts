import { type Row, reuseRows, rowsOf } from './rows.ts';
import { newRunView, type RunView } from './run-view.ts';
import { activeRun, emptyThread, isAnswering, type ThreadState, withRun } from './thread-state.ts';

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

/** A thread's state, and how it is changed and shown. */
export interface ThreadModel {
  state(): ThreadState;
  change(next: Partial<ThreadState>): void;
  changeRun(runId: string, next: (run: RunView) => RunView): void;
  subscribe(listener: () => void): () => void;
  snapshot(): ThreadSnapshot;
}

export function createThreadModel(phase: ThreadState['phase']): ThreadModel {
  let state: ThreadState = { ...emptyThread, phase };
  let shown = snapshotOf(state, []);
  let frame = 0;
  const listeners = new Set<() => void>();
  const draw = () => {
    frame = 0;
    shown = snapshotOf(state, shown.rows);
    for (const listener of listeners) listener();
  };
  const change = (next: Partial<ThreadState>) => {
    state = { ...state, ...next };
    // A hidden page gets no frames; it draws when it is looked at again.
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  return {
    state: () => state,
    change,
    changeRun: (runId, next) => change(withRun(state, next(state.runs.get(runId) ?? newRunView(runId)))),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => shown,
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
