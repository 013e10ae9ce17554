import type { RunQueue, RunSignals } from './queue.ts';

/** For one process: a list of threads to look at, oldest first. */
export function memoryQueue(onError: (error: unknown) => void): RunQueue {
  const waiting = new Set<string>();
  const active = new Map<string, Promise<void>>();
  let handle: ((sessionId: string) => Promise<void>) | undefined;
  let room = 0;
  let draining = false;

  const begin = (sessionId: string, work: () => Promise<void>) => {
    const done = work()
      .catch(onError)
      .finally(() => {
        active.delete(sessionId);
        pump();
      });
    active.set(sessionId, done);
  };

  const pump = () => {
    for (const sessionId of waiting) {
      if (!handle || draining || active.size >= room) return;
      // Woken while it is being handled: it stays on the list and is looked at again afterwards.
      if (active.has(sessionId)) continue;
      waiting.delete(sessionId);
      const work = handle;
      begin(sessionId, () => work(sessionId));
    }
  };

  return {
    async wake(sessionId) {
      waiting.add(sessionId);
      pump();
    },
    async start(handler, concurrency) {
      handle = handler;
      room = concurrency;
      pump();
    },
    hasRoom: () => handle !== undefined && !draining && active.size < room,
    runHere: begin,
    async drain() {
      draining = true;
      await Promise.all(active.values());
    },
    async close() {
      draining = true;
      waiting.clear();
    },
  };
}

export function memorySignals(): RunSignals {
  const listeners = new Set<(rowId: string) => void>();
  return {
    async cancel(rowId) {
      for (const listener of listeners) listener(rowId);
    },
    async onCancel(listener) {
      listeners.add(listener);
    },
    async close() {
      listeners.clear();
    },
  };
}
