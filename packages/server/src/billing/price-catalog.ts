import { readFileSync } from 'node:fs';
import { Temporal } from 'temporal-polyfill';
import { parse } from 'yaml';
import {
  epoch,
  type HolidayCalendars,
  type PriceBand,
  PriceBook,
  type PriceCard,
  type PriceTier,
} from './price-card.ts';

export interface PriceQuery {
  model: string;
  /** Left out: a card of any vendor fits. */
  vendor?: string | undefined;
  at: Date;
}

/** A card and the band of it that holds at the instant asked for. */
export interface CardInForce {
  card: PriceCard;
  band: PriceBand;
}

export interface PriceCatalog {
  /** The card in force for a model, by its own name or an alias, or null where no card fits. */
  find(query: PriceQuery): CardInForce | null;
  /** A catalog that asks these cards first, such as those of a registered model, and this one where none of them fits. */
  preferring(cards: readonly PriceCard[]): PriceCatalog;
}

/** The cards and calendars that Kith ships. Reads a file: take it once and pass it on. */
export function shippedPriceBook(): PriceBook {
  return PriceBook.parse(parse(readFileSync(new URL('./price-cards.yaml', import.meta.url), 'utf8')));
}

/** A catalog of the given cards, or of the shipped ones. */
export function priceCatalog(cards?: readonly PriceCard[], calendars?: HolidayCalendars): PriceCatalog {
  const shipped = cards && calendars ? { cards, calendars } : shippedPriceBook();
  return layer(cards ?? shipped.cards, calendars ?? shipped.calendars);
}

function layer(cards: readonly PriceCard[], calendars: HolidayCalendars, beneath?: PriceCatalog): PriceCatalog {
  const entries = indexByName(cards);
  const holidays = holidaysOf(cards, calendars);
  const localMinute = localMinutes();
  const catalog: PriceCatalog = {
    find(query) {
      const card = entries.get(query.model)?.find((entry) => holds(entry, query))?.card;
      return card ? { card, band: bandInForce(card, query.at, holidays, localMinute) } : (beneath?.find(query) ?? null);
    },
    preferring: (own) => (own.length > 0 ? layer(own, calendars, catalog) : catalog),
  };
  return catalog;
}

/** A card under one of its names, with the time in which it goes by that name. */
interface Entry {
  card: PriceCard;
  from: number;
  until: number;
}

function indexByName(cards: readonly PriceCard[]): Map<string, Entry[]> {
  const entries = new Map<string, Entry[]>();
  for (const card of cards) {
    const from = epoch(card.effective_from);
    const until = epochOr(card.effective_until, Number.POSITIVE_INFINITY);
    for (const name of [{ name: card.model, from: undefined, until: undefined }, ...card.aliases]) {
      const entry = {
        card,
        from: Math.max(from, epochOr(name.from, from)),
        until: Math.min(until, epochOr(name.until, until)),
      };
      const others = entries.get(name.name) ?? [];
      refuseTwin(name.name, entry, others);
      entries.set(name.name, [...others, entry]);
    }
  }
  // Newest first: a later card takes over from an earlier one that has no end.
  for (const named of entries.values()) named.sort((left, right) => right.from - left.from);
  return entries;
}

function epochOr(instant: string | undefined, otherwise: number): number {
  return instant === undefined ? otherwise : epoch(instant);
}

function refuseTwin(name: string, entry: Entry, others: readonly Entry[]): void {
  const twin = others.some((other) => other.card.vendor === entry.card.vendor && other.from === entry.from);
  if (twin) throw new Error(`two price cards for ${entry.card.vendor}/${name} begin at ${entry.card.effective_from}`);
}

function holds({ card, from, until }: Entry, { vendor, at }: PriceQuery): boolean {
  const instant = at.getTime();
  return from <= instant && instant < until && (vendor === undefined || vendor === card.vendor);
}

type Holidays = ReadonlyMap<string, ReadonlySet<string>>;

function holidaysOf(cards: readonly PriceCard[], calendars: HolidayCalendars): Holidays {
  for (const { vendor, model, bands } of cards) {
    const unknown = bands.find(({ except_on }) => except_on !== undefined && !Object.hasOwn(calendars, except_on));
    if (unknown)
      throw new Error(`the price card of ${vendor}/${model} names an unknown calendar: ${unknown.except_on}`);
  }
  return new Map(Object.entries(calendars).map(([name, days]) => [name, new Set(days)]));
}

/** What clocks and calendars show in some minute. */
interface LocalMinute {
  dayOfWeek: number;
  time: string;
  date: string;
}
type LocalMinutes = (timezone: string, at: Date) => LocalMinute;

/** Remembers the last minute of each zone: calls come many to the minute, and the calendar is slow. */
function localMinutes(): LocalMinutes {
  const last = new Map<string, LocalMinute & { minute: number }>();
  return (timezone, at) => {
    const minute = Math.floor(at.getTime() / 60_000);
    const known = last.get(timezone);
    if (known?.minute === minute) return known;
    const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone);
    const time = local.toPlainTime().toString({ smallestUnit: 'minute' });
    const read = { minute, dayOfWeek: local.dayOfWeek, time, date: local.toPlainDate().toString() };
    last.set(timezone, read);
    return read;
  };
}

function bandInForce(card: PriceCard, at: Date, holidays: Holidays, localMinute: LocalMinutes): PriceBand {
  const [only] = card.bands;
  if (only && card.bands.length === 1) return only;
  const { dayOfWeek, time, date } = localMinute(card.timezone, at);
  const band = card.bands.find(
    ({ weekdays, windows, except_on }) =>
      (weekdays?.includes(dayOfWeek) ?? true) &&
      // Windows are whole minutes and half-open, so the minute under way decides; HH:MM compares as text.
      (windows?.some(([start, end]) => start <= time && time < end) ?? true) &&
      !(except_on !== undefined && holidays.get(except_on)?.has(date)),
  );
  if (!band) throw new Error(`no band of ${card.vendor}/${card.model} holds at ${at.toISOString()}`);
  return band;
}

/**
 * The tier is chosen by the whole prompt, cached tokens included, and holds for every token of the request: one token
 * over the edge re-prices it all. Beyond the last edge the last tier goes on.
 */
export function tierFor(tiers: readonly PriceTier[], promptTokens: number): number {
  const fitting = tiers.findIndex(({ lte }) => lte === undefined || promptTokens <= lte);
  return fitting === -1 ? tiers.length - 1 : fitting;
}

/** What is stored with a call: `dashscope/qwen-plus@2026-01-01T00:00+08:00#flat(128000,256000]`. */
export function cardIdentity({ card, band }: CardInForce, tier: number | null): string {
  const { gt, lte } = (tier !== null && band.tiers?.[tier]) || {};
  const range = gt === undefined ? '' : `(${gt},${lte ?? '∞'}]`;
  return `${card.vendor}/${card.model}@${card.effective_from}#${band.name}${range}`;
}
