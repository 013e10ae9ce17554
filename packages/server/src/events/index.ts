/** What happened in a thread: the log, how it grows, and how readers learn of it. */
export type { EventBus, Unsubscribe } from './bus/bus.ts';
export { memoryBus } from './bus/memory.ts';
export { createJournal, type Journal, type JournalRun, type RunJournal } from './journal.ts';
export { dropOldDeltas, readEvents } from './log.ts';
export { closings, noSpans, type OpenSpans, track } from './spans.ts';
