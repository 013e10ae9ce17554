/** A typed client for Kith, whose streams reconnect by themselves. Runs wherever there is `fetch`. */
export type * from '@kith/protocol';
export { KithApiError, type KithOptions } from './http.ts';
export { createKith, type KithClient } from './kith.ts';
export type { Chat, Files, History, Memories, Profile, Sessions, Settings } from './resources.ts';
export type { StreamedEvent, StreamOptions } from './run-stream.ts';
export type { Runs, StartOptions } from './runs.ts';
