/** The life of runs: accepted, taken, kept alive, canceled, approved, and never lost. */

export type { Runs, SubmitRequest, Submitted } from './port.ts';
export { createRunRoom, type RunRoom, type RunRoomOptions } from './room.ts';
