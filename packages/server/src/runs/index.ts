/** The life of runs: accepted, taken, kept alive, canceled, approved, and never lost. */

export type { Runs, SubmitRequest, Submitted } from './port.ts';
export { memoryQueue, memorySignals } from './queue/memory.ts';
export type { RunQueue, RunSignals } from './queue/queue.ts';
export { createRunRoom, type RunRoom, type RunRoomOptions } from './room.ts';

/** `bullQueue` and `redisSignals`, loaded where there is a Redis: a start without one is spared a fifth of all its modules. */
export const redisQueue = () => import('./queue/bullmq.ts');
