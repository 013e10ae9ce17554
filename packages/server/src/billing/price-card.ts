import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';

// At most six decimals per million tokens, so that one token costs a whole number of 1e-12 CNY; at most four digits
// before the point, so that no believable call exceeds what the ledger can hold.
const PRICE = /^\d{1,4}(\.\d{1,6})?$/;
const Price = z
  .string({ error: 'a price is a quoted decimal such as "0.025"' })
  .regex(PRICE, 'a price has at most 4 digits before and 6 after the point');

const INSTANT = 'an instant is ISO 8601 with an offset, such as 2026-11-16T09:00:00+08:00';
export const Instant = z.string({ error: INSTANT }).refine(isInstant, INSTANT);
const LocalTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'a time of day is HH:MM');
const LocalDate = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'a date is YYYY-MM-DD');
const Weekday = z.int().min(1, 'Monday is 1').max(7, 'Sunday is 7');

/** CNY per million tokens for every token of a request whose prompt is in (gt, lte]. Cache prices are absolute. */
export const PriceTier = z.strictObject({
  gt: z.int().nonnegative().default(0),
  lte: z.int().positive().optional(),
  input: Price,
  output: Price,
  /** For the whole output of an answer with reasoning tokens. */
  output_thinking: Price.optional(),
  cache_hit: Price.optional(),
  explicit_cache_hit: Price.optional(),
  explicit_cache_write: Price.optional(),
});
export type PriceTier = z.infer<typeof PriceTier>;

/** The prices of some hours. The first band that fits the local time of a call holds; the last one fits always. */
export const PriceBand = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9_-]*$/),
    weekdays: z.array(Weekday).min(1).optional(),
    /** Half-open: 09:00–12:00 ends just before noon. */
    windows: z
      .array(z.tuple([LocalTime, LocalTime]).refine(([start, end]) => start < end, 'a window starts before it ends'))
      .min(1)
      .optional(),
    /** The calendar whose days this band leaves out. */
    except_on: z.string().optional(),
    tiers: z.array(PriceTier).min(1).refine(areContiguous, 'tiers must rise without gap or overlap').optional(),
    per_image: Price.optional(),
    /** By resolution (`720p`); `any` stands for every other one. */
    per_second: z.record(z.string(), Price).optional(),
  })
  .refine(
    ({ tiers, per_image, per_second }) =>
      [tiers, per_image, per_second].filter((kind) => kind !== undefined).length === 1,
    'a band has one of tiers, per_image, per_second',
  );
export type PriceBand = z.infer<typeof PriceBand>;

/** What one model costs from one instant on. Strings and numbers only, so that it can live in a JSON column. */
export const PriceCard = z
  .strictObject({
    vendor: z.string().min(1),
    model: z.string().min(1),
    currency: z.literal('CNY').default('CNY'),
    effective_from: Instant,
    effective_until: Instant.optional(),
    timezone: z.string().refine(isTimeZone, 'not an IANA time zone').default('Asia/Shanghai'),
    /** Other names that are billed by this card, each from and until its own instant. */
    aliases: z
      .array(z.strictObject({ name: z.string().min(1), from: Instant.optional(), until: Instant.optional() }))
      .default([]),
    source: z.string().optional(),
    note: z.string().optional(),
    bands: z.array(PriceBand).min(1).refine(lastFitsAlways, 'the last band must hold at all times'),
  })
  .refine((card) => card.effective_until === undefined || epoch(card.effective_from) < epoch(card.effective_until), {
    path: ['effective_until'],
    message: 'a card ends after it begins',
  });
export type PriceCard = z.infer<typeof PriceCard>;

/** Days by the name of their calendar. */
export const HolidayCalendars = z.record(z.string(), z.array(LocalDate));
export type HolidayCalendars = z.infer<typeof HolidayCalendars>;

export const PriceBook = z.strictObject({ calendars: HolidayCalendars, cards: z.array(PriceCard) });
export type PriceBook = z.infer<typeof PriceBook>;

/** Milliseconds since 1970 of an `Instant`. */
export function epoch(instant: string): number {
  return Temporal.Instant.from(instant).epochMilliseconds;
}

function isInstant(text: string): boolean {
  try {
    return Number.isFinite(epoch(text));
  } catch {
    return false;
  }
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

function areContiguous(tiers: readonly PriceTier[]): boolean {
  return tiers.every(({ gt, lte }, index) => {
    const startsWherePreviousEnds = gt === (index === 0 ? 0 : tiers[index - 1]?.lte);
    const endsLater = lte === undefined ? index === tiers.length - 1 : lte > gt;
    return startsWherePreviousEnds && endsLater;
  });
}

function lastFitsAlways(bands: readonly { weekdays?: unknown; windows?: unknown; except_on?: unknown }[]): boolean {
  const last = bands.at(-1);
  return last !== undefined && !last.weekdays && !last.windows && !last.except_on;
}
