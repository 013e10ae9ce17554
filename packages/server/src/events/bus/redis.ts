import { randomUUID } from 'node:crypto';
import { KithEvent, type LoggedEvent } from '@kith/protocol';
import { Redis } from 'ioredis';
import type { EventBus } from './bus.ts';

type Reader = (events: readonly LoggedEvent[]) => void;
type Entry = [id: string, fields: string[]];

interface Thread {
  readers: Set<Reader>;
  /** The last entry that was read; undefined while Redis could not be asked for the stream's end. */
  position: string | undefined;
  listening: Promise<void>;
}

export interface RedisBusOptions {
  url: string;
  onError: (error: unknown) => void;
  /** Entries kept for a thread: enough for a reader that blinks. The log has the rest. */
  maxLength?: number;
  blockMilliseconds?: number;
}

const EXPIRY_SECONDS = 3600;
const RETRY_MILLISECONDS = 250;
const PREFIX = 'kith:events:';
const keyOf = (sessionId: string) => `${PREFIX}${sessionId}`;

/**
 * For many processes: a stream for each thread, and one blocking reader for the whole process. Entries carry the log's own
 * number as `<seq>-0`, so Redis itself refuses what it has already. It is never the truth: after any doubt the readers get an
 * empty list, which means "ask the log".
 */
export function redisBus({ url, onError, maxLength = 1000, blockMilliseconds = 5000 }: RedisBusOptions): EventBus {
  const commands = connect(url, onError, 2000);
  // A connection that died silently is noticed when the answer to a blocking read is overdue.
  const blocking = connect(url, onError, blockMilliseconds + 3000);
  const threads = new Map<string, Thread>();
  const closing = new AbortController();
  // A stream of our own among those that are read: an entry in it interrupts the read when there is a new thread to follow.
  const bell = { key: `kith:bell:${randomUUID()}`, position: '0-0' };

  const findEnd = async (sessionId: string, thread: Thread) => {
    const [last] = await commands.xrevrange(keyOf(sessionId), '+', '-', 'COUNT', 1);
    thread.position = last?.[0] ?? '0-0';
  };
  const listen = async (sessionId: string, thread: Thread) => {
    await findEnd(sessionId, thread);
    await commands.multi().xadd(bell.key, 'MAXLEN', 1, '*', 'ring', '').expire(bell.key, EXPIRY_SECONDS).exec();
  };

  const readOnce = async () => {
    const streams = [bell.key];
    const positions = [bell.position];
    for (const [sessionId, thread] of threads) {
      await thread.listening;
      if (thread.position === undefined) {
        await findEnd(sessionId, thread);
        for (const reader of thread.readers) reader([]);
      }
      streams.push(keyOf(sessionId));
      positions.push(thread.position ?? '0-0');
    }
    const answer = await blocking.xread('BLOCK', blockMilliseconds, 'STREAMS', ...streams, ...positions);
    for (const [key, entries] of answer ?? []) {
      if (key === bell.key) bell.position = entries.at(-1)?.[0] ?? bell.position;
      else deliver(threads.get(key.slice(PREFIX.length)), entries);
    }
  };
  const readOn = async () => {
    while (!closing.signal.aborted) {
      try {
        await readOnce();
      } catch (error) {
        if (closing.signal.aborted) return;
        onError(error);
        for (const thread of threads.values()) thread.position = undefined;
        await pause(closing.signal);
      }
    }
  };
  const reading = readOn();

  return {
    async publish(sessionId, events) {
      const pipeline = commands.pipeline();
      for (const { seq, runId, event } of events) {
        const fields = ['run', runId, 'event', JSON.stringify(event)];
        pipeline.xadd(keyOf(sessionId), 'MAXLEN', '~', maxLength, `${seq}-0`, ...fields);
      }
      pipeline.expire(keyOf(sessionId), EXPIRY_SECONDS);
      for (const [error] of (await pipeline.exec()) ?? []) if (error && !isRepeated(error)) throw error;
    },
    async subscribe(sessionId, reader) {
      const thread = threads.get(sessionId) ?? {
        readers: new Set(),
        position: undefined,
        listening: Promise.resolve(),
      };
      thread.readers.add(reader);
      if (!threads.has(sessionId)) {
        threads.set(sessionId, thread);
        // With Redis away, the reader lives on the log until it is back.
        thread.listening = listen(sessionId, thread).catch(onError);
      }
      await thread.listening;
      return () => {
        thread.readers.delete(reader);
        if (thread.readers.size === 0 && threads.get(sessionId) === thread) threads.delete(sessionId);
      };
    },
    async close() {
      closing.abort();
      threads.clear();
      await commands.del(bell.key).catch(onError);
      commands.disconnect();
      blocking.disconnect();
      await reading;
    },
  };
}

function connect(url: string, onError: (error: unknown) => void, commandTimeout: number): Redis {
  const redis = new Redis(url, { commandTimeout, maxRetriesPerRequest: 0, retryStrategy: () => RETRY_MILLISECONDS });
  redis.on('error', onError);
  return redis;
}

function deliver(thread: Thread | undefined, entries: readonly Entry[]): void {
  const last = entries.at(-1);
  if (!thread || !last) return;
  thread.position = last[0];
  const events = entries.flatMap(readEntry);
  for (const reader of thread.readers) reader(events);
}

/** An entry that is not ours to understand is left out: the gap sends readers to the log. */
function readEntry([id, fields]: Entry): LoggedEvent[] {
  const [, runId, , text] = fields;
  const event = KithEvent.safeParse(parsed(text ?? ''));
  return runId !== undefined && event.success ? [{ seq: Number.parseInt(id, 10), runId, event: event.data }] : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Redis has this number, or a later one. Whoever misses it finds it in the log. */
const isRepeated = (error: Error) => /ID specified in XADD is equal or smaller/.test(error.message);

const pause = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, RETRY_MILLISECONDS);
    signal.addEventListener('abort', done);
  });
