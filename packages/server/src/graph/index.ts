/** The state of a run, the nodes that build it up, and the checkpoint that keeps it. */
export { intentRow } from './checkpoint.ts';
export type { Standing } from './draft.ts';
export { type Departure, type Execution, type ExecutionTools, executeRun, RunStopped } from './execute.ts';
export { AskedApproval, CallDecision } from './nodes/decisions.ts';
export type { GraphRooms, RunLimits } from './services.ts';
export { type RunIdentity, type RunInput, type RunState, ToolActionResult } from './state.ts';
