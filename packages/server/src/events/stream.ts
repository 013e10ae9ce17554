import type { LoggedEvent } from '@kith/protocol';
import { createThreadFeed, type FeedLimits, type FeedReader, type FeedTools, type ThreadFeed } from './thread-feed.ts';

export interface StreamQuery {
  sessionId: string;
  /** Only this run's events. */
  runId?: string | undefined;
  /** The last event the reader has; 0 for everything. */
  after: number;
  /** Ends the stream. */
  signal: AbortSignal;
  /** Called while the reader takes nothing and too much has passed it by: it should go, and come back by id. */
  onLag?: (() => void) | undefined;
}

/** Following a thread: first from the log, then live, with no gap and no repeat at the seam. */
export interface Streams {
  open(query: StreamQuery): AsyncGenerator<LoggedEvent[], void, void>;
  close(): Promise<void>;
}

export interface StreamLimits extends FeedLimits {
  /** How often the log is asked, once for all threads, whether the bus has kept something from us. */
  idleMilliseconds: number;
}

export const STREAM_LIMITS: Omit<StreamLimits, 'maxReaderBacklog'> = {
  windowEvents: 1024,
  windowCharacters: 4 * 1024 * 1024,
  pageSize: 500,
  idleMilliseconds: 2000,
};

export function createStreams(tools: FeedTools & { limits: StreamLimits }): Streams {
  const { sql, log, limits } = tools;
  const feeds = new Map<string, ThreadFeed>();

  const compareHeads = async () => {
    const ids = [...feeds.keys()];
    if (ids.length === 0) return;
    const rows = await sql<{ id: string; event_head: number }[]>`
      select id, event_head from sessions where id = any(${ids}::uuid[])`;
    const heads = new Map(rows.map((row) => [row.id, row.event_head]));
    for (const id of ids) feeds.get(id)?.tell(heads.get(id));
  };
  let comparing = false;
  const ticker = setInterval(() => {
    if (comparing) return;
    comparing = true;
    compareHeads()
      .catch((error) => log.warn({ err: error }, 'the heads of threads could not be read; asked again soon'))
      .finally(() => {
        comparing = false;
      });
  }, limits.idleMilliseconds);
  ticker.unref();

  const feedOf = (sessionId: string): ThreadFeed => {
    const feed = feeds.get(sessionId) ?? createThreadFeed(sessionId, tools);
    feeds.set(sessionId, feed);
    return feed;
  };
  const leave = (sessionId: string, feed: ThreadFeed, reader: FeedReader) => {
    feed.readers.delete(reader);
    if (feed.readers.size > 0) return;
    feed.close();
    if (feeds.get(sessionId) === feed) feeds.delete(sessionId);
  };

  return {
    async *open(query) {
      const feed = feedOf(query.sessionId);
      const reader: FeedReader = { wake: undefined, taken: 0, onLag: query.onLag };
      const stop = () => reader.wake?.();
      feed.readers.add(reader);
      query.signal.addEventListener('abort', stop);
      try {
        yield* follow(feed, reader, query);
      } finally {
        query.signal.removeEventListener('abort', stop);
        leave(query.sessionId, feed, reader);
      }
    },
    async close() {
      clearInterval(ticker);
      for (const feed of feeds.values()) feed.close();
    },
  };
}

async function* follow(
  feed: ThreadFeed,
  reader: FeedReader,
  query: StreamQuery,
): AsyncGenerator<LoggedEvent[], void, void> {
  const { runId, signal } = query;
  const window = await feed.ready();
  const ofRun = (events: LoggedEvent[]) =>
    runId === undefined ? events : events.filter((event) => event.runId === runId);
  let last = query.after;
  while (!signal.aborted && !feed.ended) {
    reader.taken = window.passed;
    last = Math.max(last, feed.beginningOf(runId));
    const live = window.after(last);
    if (live?.length === 0) {
      await new Promise<void>((resolve) => {
        reader.wake = resolve;
      });
      reader.wake = undefined;
      continue;
    }
    const page = live ? { events: live, upTo: window.head } : await feed.read(last, runId);
    last = page.upTo;
    const own = ofRun(page.events);
    if (own.length > 0) yield own;
  }
}
