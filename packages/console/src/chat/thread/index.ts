/** A conversation: its history, the runs under way, and what one can do with them. */
export { fetchRun } from './requests.ts';
export type { Row } from './rows.ts';
export type { Approval, RunFailure } from './run-view.ts';
export type { ThreadSnapshot } from './thread-model.ts';
export type { ThreadStore } from './thread-store.ts';
export { threadOf, useThread, useThreadChanges } from './use-thread.ts';
