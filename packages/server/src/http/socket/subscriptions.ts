import { errors } from '../../errors/index.ts';
import { eventId, toFlat } from '../../events/index.ts';
import { type FollowTools, followRun } from '../streaming/follow-run.ts';
import type { Outbox } from './outbox.ts';

export interface Subscription {
  sessionId: string;
  /** One run to its end; without it the thread, for as long as the connection lasts. */
  runId?: string | undefined;
  after: number;
}

/** What one connection follows. */
export interface Subscriptions {
  /** Whether the whole thread is followed already. */
  follows(sessionId: string): boolean;
  add(subscription: Subscription): void;
  close(): void;
}

export interface SubscriptionOptions {
  tools: FollowTools;
  outbox: Outbox;
  /** The reader takes nothing while too much passes by. */
  onLag: () => void;
  onError: (error: unknown) => void;
}

const MOST = 100;

export function createSubscriptions({ tools, outbox, onLag, onError }: SubscriptionOptions): Subscriptions {
  const active = new Map<string, AbortController>();

  const tell = async ({ sessionId, runId, after }: Subscription, signal: AbortSignal) => {
    const query = { sessionId, after, signal, onLag };
    const stream = runId === undefined ? tools.streams.open(query) : followRun(tools, { ...query, runId });
    for await (const events of stream) {
      for (const { seq, event } of events) {
        if (signal.aborted) return;
        await outbox.send({ type: 'event', id: eventId(seq), payload: toFlat(event) });
      }
    }
  };

  return {
    follows: (sessionId) => active.has(sessionId),
    add(subscription) {
      const { sessionId, runId } = subscription;
      const key = runId === undefined ? sessionId : `${sessionId} ${runId}`;
      active.get(key)?.abort();
      if (active.size >= MOST) throw errors.RATE_LIMITED({ detail: `a connection follows ${MOST} streams at most` });
      const stop = new AbortController();
      active.set(key, stop);
      tell(subscription, stop.signal)
        .catch(onError)
        .finally(() => {
          if (active.get(key) === stop) active.delete(key);
        });
    },
    close() {
      for (const stop of active.values()) stop.abort();
    },
  };
}
