/** What happened in a thread: the log, how it grows, and how readers learn of it. */
export type { EventBus, Unsubscribe } from './bus/bus.ts';
export { memoryBus } from './bus/memory.ts';
export { toA2ui } from './cards/a2ui.ts';
export { compileUiSchema } from './cards/ui-schema.ts';
export { type AgUiReader, toAgUi } from './codec/ag-ui.ts';
export { toFlat } from './codec/flat.ts';
export { agUiFrame, eventId, frameOf } from './codec/frames.ts';
export { joinPrelude, messagesSnapshot } from './codec/join.ts';
export { createJournal, type Journal, type JournalRun, type RunJournal } from './journal.ts';
export { dropOldDeltas, readEvents } from './log.ts';
export { hasEnded, isWhole, locateRun, type RunPlace, wentOn } from './run-place.ts';
export { closings, noSpans, type OpenSpans, track } from './spans.ts';
export { createStreams, STREAM_LIMITS, type StreamQuery, type Streams } from './stream.ts';

/** `redisBus`, loaded where there is a Redis. */
export const redisEvents = () => import('./bus/redis.ts');
