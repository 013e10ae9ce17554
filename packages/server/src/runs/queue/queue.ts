/**
 * What wakes a thread. It carries no truth: the `runs` table does. A wake-up may be lost (the sweeper repeats it), doubled
 * or late; one thread is never handled twice at the same time in a process.
 */
export interface RunQueue {
  /** Says that a thread may have something to do. */
  wake(sessionId: string): Promise<void>;
  /** Starts handing threads to `handle`, at most `concurrency` at once. */
  start(handle: (sessionId: string) => Promise<void>, concurrency: number): Promise<void>;
  /** Room for one more, right here and now? */
  hasRoom(): boolean;
  /** Handles a thread right away, without the detour through the queue; counts against the concurrency. */
  runHere(sessionId: string, work: () => Promise<void>): void;
  /** Takes nothing more; resolves when what is under way has ended. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Hints between processes: a cancel reaches its worker at once, instead of at its next heartbeat. */
export interface RunSignals {
  cancel(rowId: string): Promise<void>;
  onCancel(listener: (rowId: string) => void): Promise<void>;
  close(): Promise<void>;
}
