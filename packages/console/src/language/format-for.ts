import { type Language, LOCALES } from './locales.ts';

/** How figures, money and times read, in one language and one time zone. */
export interface Format {
  number(value: number): string;
  /** 12,345 or 1.2 万: for glances. */
  short(value: number): string;
  /** An exact decimal string of CNY, cut to what the eye can use; null is unknown, which is not zero. */
  money(amount: string | null): string;
  percent(share: number): string;
  bytes(count: number): string;
  duration(milliseconds: number): string;
  time(instant: string): string;
  date(instant: string): string;
  dateTime(instant: string): string;
  /** The calendar day in the user's zone, as 2026-11-16: equal for two instants of one day. */
  day(instant: string | Date): string;
}

export function formatFor(language: Language, timeZone: string | undefined): Format {
  const locale = LOCALES[language];
  const inZone = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, ...(timeZone ? { timeZone } : {}) });
    return (instant: string) => format.format(new Date(instant));
  };
  const numbers = new Intl.NumberFormat(locale);
  const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
  const days = new Intl.DateTimeFormat('sv-SE', timeZone ? { timeZone } : {});
  return {
    number: (value) => numbers.format(value),
    short: (value) => compact.format(value),
    money: (amount) => (amount === null ? '—' : money(locale, amount)),
    percent: (share) => percents.format(share),
    bytes: (count) => bytes(locale, count),
    duration: (milliseconds) => duration(locale, milliseconds),
    time: inZone({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    date: inZone({ year: 'numeric', month: 'short', day: 'numeric' }),
    dateTime: inZone({
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
    day: (instant) => days.format(new Date(instant)),
  };
}

/** `Intl` takes a decimal string as it is, so no amount passes through a float. Under ten fen, three digits that say something. */
function money(locale: string, amount: string): string {
  const digits = /^-?0\.0/.test(amount)
    ? { maximumSignificantDigits: 3 }
    : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'CNY',
    currencyDisplay: 'narrowSymbol',
    ...digits,
  }).format(amount as Intl.StringNumericLiteral);
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
function bytes(locale: string, count: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  const unit = UNITS[power] ?? 'byte';
  const digits = power === 0 ? 0 : 1;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: digits,
  }).format(count / 1000 ** power);
}

function duration(locale: string, milliseconds: number): string {
  const unit = (value: number, name: string, digits = 0) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
      maximumFractionDigits: digits,
    }).format(value);
  if (milliseconds < 1000) return unit(milliseconds, 'millisecond');
  if (milliseconds < 60_000) return unit(milliseconds / 1000, 'second', 1);
  const minutes = Math.floor(milliseconds / 60_000);
  return `${unit(minutes, 'minute')} ${unit(Math.round((milliseconds % 60_000) / 1000), 'second')}`;
}
