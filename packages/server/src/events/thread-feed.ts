import type { LoggedEvent } from '@kith/protocol';
import type { Sql } from '../db/index.ts';
import type { Log } from '../observability/index.ts';
import type { EventBus, Unsubscribe } from './bus/bus.ts';
import { readEvents } from './log.ts';
import { createThreadWindow, type ThreadWindow, type WindowLimits } from './thread-window.ts';

export interface FeedLimits extends WindowLimits {
  /** Events that one read of the log may give. */
  pageSize: number;
  /** Characters that may pass a reader by while it does not take anything. */
  maxReaderBacklog: number;
}

export interface FeedTools {
  sql: Sql;
  bus: EventBus;
  log: Log;
  limits: FeedLimits;
}

/** Somebody who follows the thread. */
export interface FeedReader {
  /** Set while it waits for something new. */
  wake: (() => void) | undefined;
  /** What had passed when it last took something. */
  taken: number;
  onLag: (() => void) | undefined;
}

/** One thread's events for all its readers in this process: one subscription, one read of whatever is missing. */
export interface ThreadFeed {
  readonly readers: Set<FeedReader>;
  readonly ended: boolean;
  /** Resolves once live events are heard and the log's head is known. */
  ready(): Promise<ThreadWindow>;
  /** Events after `after` from the log; nothing of the thread (or of the run, where one is given) is missing up to `upTo`. */
  read(after: number, runId: string | undefined): Promise<Page>;
  /** Where the run's events begin, as far as known: nothing of it is at or before this. */
  beginningOf(runId: string | undefined): number;
  /** The log's head as somebody has just read it; undefined when the thread is gone. */
  tell(head: number | undefined): void;
  close(): void;
}

export interface Page {
  events: LoggedEvent[];
  upTo: number;
}

export function createThreadFeed(sessionId: string, tools: FeedTools): ThreadFeed {
  const { sql, bus, log, limits } = tools;
  const readers = new Set<FeedReader>();
  const reads = new Map<string, Promise<Page>>();
  const beginnings = new Map<string, number>();
  let window: ThreadWindow | undefined;
  let opened: Promise<ThreadWindow> | undefined;
  let unsubscribe: Unsubscribe = () => {};
  let filling: Promise<void> | undefined;
  let heardOf = 0;
  let ended = false;

  const take = (into: ThreadWindow, events: readonly LoggedEvent[]) => {
    if (events.length === 0) return;
    const before = into.passed;
    into.append(events);
    for (const reader of readers) {
      reader.wake?.();
      // What comes now may be large and is nobody's fault: only what had waited before it counts.
      if (before - reader.taken > limits.maxReaderBacklog) reader.onLag?.();
    }
  };

  const fill = async (into: ThreadWindow) => {
    for (let full = true; full || heardOf > into.head; ) {
      const events = await readEvents(sql, sessionId, { after: into.head, limit: limits.pageSize });
      full = events.length === limits.pageSize;
      take(into, events);
      if (events.length === 0) break;
    }
  };
  const askLog = () => {
    if (!window || filling || ended) return;
    filling = fill(window)
      .catch((error) => log.warn({ err: error, sessionId }, 'the log could not be read; asked again soon'))
      .finally(() => {
        filling = undefined;
      });
  };

  /** The bus may lose, repeat and be late: what follows on is taken, anything else is a reason to ask the log. */
  const hear = (events: readonly LoggedEvent[]) => {
    heardOf = Math.max(heardOf, events.at(-1)?.seq ?? 0);
    if (!window || filling) return;
    const { head } = window;
    const news = events.filter((event) => event.seq > head);
    if (events.length > 0 && news.every((event, index) => event.seq === head + index + 1)) take(window, news);
    else askLog();
  };

  const open = async (): Promise<ThreadWindow> => {
    const stop = await bus.subscribe(sessionId, hear);
    if (ended) stop();
    else unsubscribe = stop;
    const [row] = await sql<{ event_head: number }[]>`select event_head from sessions where id = ${sessionId}`;
    if (!row) end();
    window = createThreadWindow(row?.event_head ?? 0, limits);
    if (heardOf > window.head) askLog();
    return window;
  };

  const end = () => {
    ended = true;
    unsubscribe();
    for (const reader of readers) reader.wake?.();
  };

  /** A short way back is read for all runs at once, and kept for the next reader. */
  const readBack = async (from: ThreadWindow, after: number): Promise<Page> => {
    const { floor } = from;
    const read = await readEvents(sql, sessionId, { after, limit: floor - after });
    const events = read.filter((event) => event.seq <= floor);
    if (from.floor === floor) from.prepend(events, after);
    return { events, upTo: floor };
  };
  const readRun = async (from: ThreadWindow, after: number, runId: string | undefined): Promise<Page> => {
    const { head } = from;
    const events = await readEvents(sql, sessionId, { after, runId, limit: limits.pageSize });
    const [first] = events;
    if (runId !== undefined && after === 0 && first) beginnings.set(runId, first.seq - 1);
    const last = events.at(-1)?.seq ?? 0;
    return { events, upTo: events.length === limits.pageSize ? last : Math.max(head, last) };
  };

  return {
    readers,
    get ended() {
      return ended;
    },
    ready() {
      opened ??= open();
      return opened;
    },
    async read(after, runId) {
      const from = await this.ready();
      const isNear = from.floor - after <= limits.windowEvents;
      const key = isNear ? `${from.floor}:${after}` : `${after}:${runId}`;
      const underWay = reads.get(key);
      if (underWay) return underWay;
      const mine = (isNear ? readBack(from, after) : readRun(from, after, runId)).finally(() => reads.delete(key));
      reads.set(key, mine);
      return mine;
    },
    beginningOf: (runId) => (runId === undefined ? 0 : (beginnings.get(runId) ?? 0)),
    tell(head) {
      if (head === undefined) return end();
      heardOf = Math.max(heardOf, head);
      if (window && head > window.head) askLog();
    },
    close: end,
  };
}
