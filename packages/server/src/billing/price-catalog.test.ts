import { describe, expect, test } from 'vitest';
import { scaleDecimal } from './money.ts';
import { PriceCard } from './price-card.ts';
import { cardIdentity, priceCatalog, shippedPriceBook, tierFor } from './price-catalog.ts';

const shipped = priceCatalog();
const FLASH = 'deepseek/deepseek-flash@2026-09-10T12:00+08:00';
const V4_FLASH = 'deepseek/deepseek-v4-flash';

function inForce(model: string, at: string, vendor?: string): string | null {
  const found = shipped.find({ model, vendor, at: new Date(at) });
  return found && cardIdentity(found, null);
}

describe('the card in force', () => {
  test.each([
    ['deepseek-chat', '2025-09-28T23:59:59+08:00', null],
    ['deepseek-chat', '2025-09-29T00:00:00+08:00', 'deepseek/deepseek-chat@2025-09-29T00:00+08:00#flat'],
    ['deepseek-reasoner', '2026-04-26T20:14:59.999+08:00', 'deepseek/deepseek-reasoner@2025-09-29T00:00+08:00#flat'],
    ['deepseek-reasoner', '2026-04-26T20:15:00+08:00', `${V4_FLASH}@2026-04-26T20:15+08:00#flat`],
    ['deepseek-chat', '2026-07-24T15:58:59.999Z', `${V4_FLASH}@2026-04-26T20:15+08:00#flat`],
    ['deepseek-chat', '2026-07-24T15:59:00Z', null],
    ['deepseek-chat', '2026-11-16T10:00:00+08:00', null],
    ['deepseek-v4-flash', '2026-04-23T23:59:59+08:00', null],
    ['deepseek-v4-flash', '2026-08-16T23:59:59+08:00', `${V4_FLASH}@2026-04-26T20:15+08:00#flat`],
    ['deepseek-v4-flash', '2026-08-17T00:00:00+08:00', `${V4_FLASH}@2026-08-17T00:00+08:00#off`],
    ['deepseek-v4-flash', '2026-09-10T11:59:59+08:00', `${V4_FLASH}@2026-08-23T00:00+08:00#peak`],
    ['deepseek-v4-flash', '2026-09-10T12:00:00+08:00', `${FLASH}#off`],
    ['deepseek-flash', '2026-09-10T11:59:59+08:00', null],
    ['qwen3-max', '2026-09-10T23:59:59+08:00', 'dashscope/qwen3-max@2026-01-01T00:00+08:00#flat'],
    ['qwen3-max', '2026-09-11T00:00:00+08:00', 'dashscope/qwen3-max@2026-09-11T00:00+08:00#flat'],
    ['qwen3.8-max', '2026-08-03T15:59:59Z', null],
    ['qwen3.8-max', '2026-08-03T16:00:00Z', 'dashscope/qwen3.8-max@2026-08-04T00:00+08:00#flat'],
    ['gpt-9', '2026-11-16T10:00:00+08:00', null],
    ['constructor', '2026-11-16T10:00:00+08:00', null],
  ])('of %s at %s is %s', (model, at, card) => {
    expect(inForce(model, at)).toBe(card);
  });

  test('is sought among one vendor only when that vendor is named', () => {
    expect(inForce('deepseek-flash', '2026-11-16T20:00:00+08:00', 'deepseek')).toBe(`${FLASH}#off`);
    expect(inForce('deepseek-flash', '2026-11-16T20:00:00+08:00', 'a-reseller')).toBeNull();
  });
});

describe('the band in force', () => {
  test.each([
    ['Monday, a moment before the morning peak', '2026-11-16T08:59:59.999+08:00', 'off'],
    ['Monday, as the morning peak begins', '2026-11-16T09:00:00+08:00', 'peak'],
    ['Monday, a moment before noon', '2026-11-16T11:59:59.999+08:00', 'peak'],
    ['Monday at noon', '2026-11-16T12:00:00+08:00', 'off'],
    ['Monday, a moment before the afternoon peak', '2026-11-16T13:59:59.999+08:00', 'off'],
    ['Monday, as the afternoon peak begins', '2026-11-16T14:00:00+08:00', 'peak'],
    ['Monday, a moment before the evening', '2026-11-16T17:59:59.999+08:00', 'peak'],
    ['Monday evening', '2026-11-16T18:00:00+08:00', 'off'],
    ['Monday in Beijing, still Sunday in New York', '2026-11-15T20:30:00-05:00', 'peak'],
    ['Friday', '2026-11-20T10:00:00+08:00', 'peak'],
    ['Saturday', '2026-11-21T10:00:00+08:00', 'off'],
    ['Sunday', '2026-11-22T10:00:00+08:00', 'off'],
    ['Mid-Autumn, a Friday', '2026-09-25T10:00:00+08:00', 'off'],
    ['the day before it', '2026-09-24T17:59:59+08:00', 'peak'],
    ['National Day, a Thursday', '2026-10-01T10:00:00+08:00', 'off'],
    ['the last day of that holiday, a Wednesday', '2026-10-07T17:59:59+08:00', 'off'],
    ['the day after it', '2026-10-08T09:00:00+08:00', 'peak'],
    ['a Saturday that makes up for the holiday', '2026-10-10T10:00:00+08:00', 'off'],
  ])('on %s (%s) is %s', (_, at, band) => {
    expect(inForce('deepseek-flash', at)).toBe(`${FLASH}#${band}`);
  });

  test('knew no weekend in the first week of banded prices', () => {
    expect(inForce('deepseek-v4-pro', '2026-08-22T10:00:00+08:00')).toMatch(/#peak$/);
    expect(inForce('deepseek-v4-pro', '2026-08-23T10:00:00+08:00')).toMatch(/#off$/);
  });
});

test('a tier includes its upper edge, and the last one goes on beyond it', () => {
  const tiers = shipped.find({ model: 'qwen-plus', at: new Date('2026-06-15T10:00:00+08:00') })?.band.tiers ?? [];
  const chosen = [0, 1, 128_000, 128_001, 256_000, 256_001, 1_000_000, 5_000_000].map((tokens) =>
    tierFor(tiers, tokens),
  );
  expect(chosen).toEqual([0, 0, 0, 1, 1, 2, 2, 2]);
});

describe('cards of one’s own', () => {
  const own = PriceCard.parse({
    vendor: 'deepseek',
    model: 'deepseek-flash',
    effective_from: '2026-10-01T00:00+08:00',
    effective_until: '2026-12-01T00:00+08:00',
    aliases: [{ name: 'house-model', from: '2026-11-01T00:00+08:00' }],
    bands: [
      { name: 'holiday', except_on: 'cn-public-holidays', tiers: [{ input: '7', output: '7' }] },
      { name: 'flat', tiers: [{ input: '5', output: '5' }] },
    ],
  });
  const catalog = shipped.preferring([own]);
  const from = (model: string, at: string) => catalog.find({ model, at: new Date(at) })?.card.effective_from;

  test('take precedence over the shipped ones while they hold, even over newer ones', () => {
    expect(from('deepseek-flash', '2026-09-30T23:59:59+08:00')).toBe('2026-09-10T12:00+08:00');
    expect(from('deepseek-flash', '2026-10-01T00:00:00+08:00')).toBe('2026-10-01T00:00+08:00');
    expect(from('deepseek-flash', '2026-12-01T00:00:00+08:00')).toBe('2026-09-10T12:00+08:00');
    expect(from('qwen-plus', '2026-11-16T10:00:00+08:00')).toBe('2026-01-01T00:00+08:00');
  });

  test('have aliases with a time of their own', () => {
    expect(from('house-model', '2026-10-31T23:59:59+08:00')).toBeUndefined();
    expect(from('house-model', '2026-11-01T00:00:00+08:00')).toBe('2026-10-01T00:00+08:00');
    expect(from('house-model', '2026-12-01T00:00:00+08:00')).toBeUndefined();
  });

  test('may use the shipped holidays, and are refused with a calendar that nobody knows', () => {
    const [band] =
      catalog.find({ model: 'deepseek-flash', at: new Date('2026-10-02T10:00:00+08:00') })?.band.tiers ?? [];
    expect(band?.input).toBe('5');
    const stray = { ...own, bands: own.bands.map((each) => (each.except_on ? { ...each, except_on: 'lunar' } : each)) };
    expect(() => priceCatalog([stray])).toThrow('deepseek/deepseek-flash names an unknown calendar: lunar');
  });

  test('are refused when two of them begin at the same instant', () => {
    expect(() => priceCatalog([own, own])).toThrow('two price cards for deepseek/deepseek-flash begin at 2026-10-01');
  });

  test('can be the whole catalog', () => {
    expect(priceCatalog([own]).find({ model: 'qwen-plus', at: new Date('2026-11-16T10:00:00+08:00') })).toBeNull();
  });
});

test('the shipped holidays fall on days that exist', () => {
  const days = Object.values(shippedPriceBook().calendars).flat();
  expect(days).toHaveLength(33);
  expect(days.map((day) => new Date(day).toISOString().slice(0, 10))).toEqual(days);
});

describe('the shipped prices', () => {
  const { cards } = shippedPriceBook();
  const price = (text = '0') => scaleDecimal(text, 6);

  test("keep DashScope's rule wherever it publishes an explicit cache: 20 % and 10 % for a hit, 125 % for a write", () => {
    const tiers = cards.flatMap(({ bands }) => bands.flatMap((band) => band.tiers ?? []));
    const explicit = tiers.filter((tier) => tier.explicit_cache_hit !== undefined);
    expect(explicit.length).toBeGreaterThan(30);
    for (const tier of explicit) {
      expect(price(tier.cache_hit) * 5n).toBe(price(tier.input));
      expect(price(tier.explicit_cache_hit) * 10n).toBe(price(tier.input));
      expect(price(tier.explicit_cache_write) * 4n).toBe(price(tier.input) * 5n);
    }
  });

  test('double at peak', () => {
    const banded = cards.filter(({ bands }) => bands.length > 1);
    expect(banded).toHaveLength(6);
    for (const { bands } of banded) {
      const [peak, off] = bands.map((band) => band.tiers?.[0]);
      expect([peak?.input, peak?.output, peak?.cache_hit].map(price)).toEqual(
        [off?.input, off?.output, off?.cache_hit].map((each) => price(each) * 2n),
      );
    }
  });
});
