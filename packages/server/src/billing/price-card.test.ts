import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { PriceCard } from './price-card.ts';

const card: z.input<typeof PriceCard> = {
  vendor: 'acme',
  model: 'thinker',
  effective_from: '2026-01-01T00:00+08:00',
  bands: [{ name: 'flat', tiers: [{ input: '0.025', output: '1' }] }],
};

/** The paths and reasons for which a card is refused. */
function complaints(change: Record<string, unknown>): string[] {
  const issues = PriceCard.safeParse({ ...card, ...change }).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}
const band = (change: Record<string, unknown>) => ({ bands: [{ ...card.bands[0], ...change }] });
const tiers = (...edges: [number, number?][]) =>
  band({ tiers: edges.map(([gt, lte]) => ({ gt, lte, input: '1', output: '1' })) });

describe('a price card', () => {
  test('is in CNY and in Beijing time unless it says otherwise', () => {
    expect(PriceCard.parse(card)).toMatchObject({ currency: 'CNY', timezone: 'Asia/Shanghai', aliases: [] });
  });

  test('is plain data: storing it as JSON changes nothing', () => {
    const parsed = PriceCard.parse(card);
    expect(PriceCard.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed);
  });

  test('takes a price only as a quoted decimal that is exact per token', () => {
    expect(complaints(band({ per_image: 0.25, tiers: undefined }))).toEqual([
      'bands.0.per_image: a price is a quoted decimal such as "0.025"',
    ]);
    for (const price of ['0.0000001', '-1', '1e-3', '10000', '.5', '']) {
      expect(complaints(band({ tiers: [{ input: price, output: '1' }] }))).toEqual([
        'bands.0.tiers.0.input: a price has at most 4 digits before and 6 after the point',
      ]);
    }
  });

  test('is refused in another currency, with an unknown field, an unknown zone or an instant without an offset', () => {
    expect(complaints({ currency: 'USD' })).toHaveLength(1);
    expect(complaints({ prices: {} })).toHaveLength(1);
    expect(complaints({ timezone: 'Asia/Peking' })).toEqual(['timezone: not an IANA time zone']);
    expect(complaints({ effective_from: '2026-01-01T00:00' })[0]).toMatch(/^effective_from: an instant is ISO 8601/);
    expect(complaints({ effective_from: '2026-02-30T00:00+08:00' })[0]).toMatch(/^effective_from/);
    expect(complaints({ effective_until: '2026-01-01T00:00+08:00' })).toEqual([
      'effective_until: a card ends after it begins',
    ]);
  });

  test('has tiers that rise from 0 without gap or overlap, the last one alone open', () => {
    const refusal = ['bands.0.tiers: tiers must rise without gap or overlap'];
    expect(complaints(tiers([0, 10], [10, 20], [20]))).toEqual([]);
    expect(complaints(tiers([0, 10], [11, 20]))).toEqual(refusal);
    expect(complaints(tiers([0, 10], [9, 20]))).toEqual(refusal);
    expect(complaints(tiers([5, 10]))).toEqual(refusal);
    expect(complaints(tiers([0], [10, 20]))).toEqual(refusal);
  });

  test('has one way of charging per band, and a last band for all other hours', () => {
    expect(complaints(band({ per_image: '1' }))).toEqual(['bands.0: a band has one of tiers, per_image, per_second']);
    expect(complaints(band({ tiers: undefined }))).toEqual(['bands.0: a band has one of tiers, per_image, per_second']);
    expect(complaints(band({ weekdays: [1] }))).toEqual(['bands: the last band must hold at all times']);
  });

  test('has windows that begin before they end, within one day', () => {
    const peak = (start: string, end: string) => ({
      bands: [{ ...card.bands[0], name: 'peak', windows: [[start, end]] }, card.bands[0]],
    });
    expect(complaints(peak('00:30', '24:00'))).toEqual([]);
    expect(complaints(peak('22:00', '06:00'))).toEqual(['bands.0.windows.0: a window starts before it ends']);
    expect(complaints(peak('9:00', '12:00'))).toContain('bands.0.windows.0.0: a time of day is HH:MM');
  });
});
