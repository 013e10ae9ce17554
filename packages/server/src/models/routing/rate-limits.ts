import type { Key } from '../registry/entities.ts';

/** Keeps each key within its requests and tokens a minute, in this process. */
export interface RateLimits {
  /** How long until the key may be used; 0: now. */
  waitMs(key: Key): number;
  /** Counts a request. */
  take(key: Key): void;
  /** Counts the tokens of an answer, once they are known: a key that overdrew waits until it has recovered. */
  spend(key: Key, tokens: number): void;
}

interface Bucket {
  level: number;
  at: number;
}

const MINUTE = 60_000;

export function createRateLimits(now: () => number): RateLimits {
  const requests = new Map<string, Bucket>();
  const tokens = new Map<string, Bucket>();
  /** A bucket that refills evenly and holds one minute's worth. */
  const refill = (buckets: Map<string, Bucket>, id: string, perMinute: number): Bucket => {
    const at = now();
    const bucket = buckets.get(id) ?? { level: perMinute, at };
    bucket.level = Math.min(perMinute, bucket.level + ((at - bucket.at) * perMinute) / MINUTE);
    bucket.at = at;
    buckets.set(id, bucket);
    return bucket;
  };
  const wait = (buckets: Map<string, Bucket>, id: string, perMinute: number | null, needed: number): number => {
    if (perMinute === null) return 0;
    const { level } = refill(buckets, id, perMinute);
    return level >= needed ? 0 : Math.ceil(((needed - level) * MINUTE) / perMinute);
  };
  return {
    waitMs: (key) =>
      Math.max(
        wait(requests, key.id, key.requestsPerMinute, 1),
        // Tokens are counted afterwards: the key is free as long as it has not overdrawn.
        wait(tokens, key.id, key.tokensPerMinute, 1),
      ),
    take: (key) => {
      if (key.requestsPerMinute !== null) refill(requests, key.id, key.requestsPerMinute).level -= 1;
    },
    spend: (key, count) => {
      if (key.tokensPerMinute !== null) refill(tokens, key.id, key.tokensPerMinute).level -= count;
    },
  };
}
