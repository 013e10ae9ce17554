/** Conversations: sessions, their messages in order, who may see them, and what they cost. */
export { type ContextMessage, type HistoryQuery, readAudit, readContext, readHistory } from './history.ts';
export { type NewMessage, type SessionRow, visibilityOf } from './message.ts';
export { readRuntimeState } from './runtime-state.ts';
export { createSessions, type Sessions, toSession } from './sessions.ts';
export { sessionTitle } from './title.ts';
export { sessionUsage } from './usage.ts';
