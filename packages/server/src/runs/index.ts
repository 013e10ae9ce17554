/** The life of runs: accepted, taken, kept alive, canceled, approved, and never lost. */

export type { Runs, SubmitRequest, Submitted } from './port.ts';
export { bullQueue, redisSignals } from './queue/bullmq.ts';
export { memoryQueue, memorySignals } from './queue/memory.ts';
export type { RunQueue, RunSignals } from './queue/queue.ts';
export { createRunRoom, type RunRoom, type RunRoomOptions } from './room.ts';
