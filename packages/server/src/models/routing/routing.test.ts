import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Key } from '../registry/entities.ts';
import { pauseBefore } from './backoff.ts';
import { createBreakers } from './breaker.ts';
import { pinnedOrder } from './pinning.ts';
import { createRateLimits } from './rate-limits.ts';

const key = (id: string, more: Partial<Key> = {}): Key => ({
  id,
  vendorId: 'v',
  label: id,
  secret: '',
  serves: [],
  weight: 1,
  requestsPerMinute: null,
  tokensPerMinute: null,
  monthlyBudget: null,
  enabled: true,
  ...more,
});

describe('pinning', () => {
  const keys = fc.uniqueArray(fc.uuid(), { minLength: 2, maxLength: 6 }).map((ids) => ids.map((id) => key(id)));

  test('a session keeps its key when others come and go, and their order is its order of retreat', () => {
    fc.assert(
      fc.property(keys, fc.uuid(), fc.nat(), (all, session, pick) => {
        const order = pinnedOrder(all, session).map(({ id }) => id);
        expect(pinnedOrder([...all].reverse(), session).map(({ id }) => id)).toEqual(order);
        const gone = all[pick % all.length]?.id;
        expect(
          pinnedOrder(
            all.filter(({ id }) => id !== gone),
            session,
          ).map(({ id }) => id),
        ).toEqual(order.filter((id) => id !== gone));
      }),
    );
  });

  test('sessions spread by weight', () => {
    const all = [key('a', { weight: 1 }), key('b', { weight: 3 }), key('spare', { weight: 0 })];
    const firsts = Array.from({ length: 4000 }, (_, session) => pinnedOrder(all, `session ${session}`)[0]?.id);
    const share = firsts.filter((id) => id === 'b').length / firsts.length;
    expect(share).toBeGreaterThan(0.72);
    expect(share).toBeLessThan(0.78);
    expect(firsts).not.toContain('spare');
  });
});

describe('pauses', () => {
  test('grow, never come together, and stay bounded', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (retry, random) => {
        const pause = pauseBefore(retry, undefined, () => random) ?? Number.NaN;
        expect(pause).toBeGreaterThanOrEqual(Math.min(125 * 3 ** retry, 20_000) - 1);
        expect(pause).toBeLessThanOrEqual(20_000);
      }),
    );
  });

  test("follow the vendor's word, unless it is too much to ask", () => {
    expect(pauseBefore(0, 2000, () => 0)).toBe(2000);
    expect(pauseBefore(0, 2000, () => 1)).toBeGreaterThan(2000);
    expect(pauseBefore(0, 3_600_000, () => 0)).toBeUndefined();
  });
});

describe('a breaker', () => {
  test('opens after failures in a row, lets one call try, and closes with its success', () => {
    let now = 0;
    const breakers = createBreakers(() => now, { threshold: 3, coolDownMs: 100 });
    breakers.failed('e');
    breakers.failed('e');
    breakers.succeeded('e');
    breakers.failed('e');
    breakers.failed('e');
    expect(breakers.allows('e')).toBe(true);
    breakers.failed('e');
    expect([breakers.stateOf('e'), breakers.allows('e'), breakers.allows('other')]).toEqual(['open', false, true]);
    now = 100;
    expect([breakers.allows('e'), breakers.allows('e')]).toEqual([true, false]);
    breakers.released('e');
    expect(breakers.allows('e')).toBe(true);
    breakers.failed('e');
    expect(breakers.stateOf('e')).toBe('open');
    now = 200;
    expect(breakers.allows('e')).toBe(true);
    breakers.succeeded('e');
    expect(breakers.stateOf('e')).toBe('closed');
  });
});

describe('limits of a key', () => {
  test("let through no more requests in any minute than one minute's worth beyond the even flow", () => {
    let now = 0;
    const limits = createRateLimits(() => now);
    const limited = key('k', { requestsPerMinute: 10 });
    let taken = 0;
    for (; now < 60_000; now += 100) {
      if (limits.waitMs(limited) > 0) continue;
      limits.take(limited);
      taken += 1;
    }
    expect(taken).toBeLessThanOrEqual(20);
    expect(taken).toBeGreaterThanOrEqual(19);
  });

  test('say how long to wait', () => {
    let now = 0;
    const limits = createRateLimits(() => now);
    const limited = key('k', { requestsPerMinute: 60, tokensPerMinute: 600 });
    expect(limits.waitMs(limited)).toBe(0);
    limits.spend(limited, 1200);
    expect(limits.waitMs(limited)).toBe(60_100);
    now += 60_100;
    expect(limits.waitMs(limited)).toBe(0);
    expect(limits.waitMs(key('free'))).toBe(0);
  });
});
