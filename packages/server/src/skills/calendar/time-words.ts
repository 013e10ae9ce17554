import { Temporal } from 'temporal-polyfill';
import { isChinese } from '../words.ts';
import { isDate } from './span.ts';

/** How and for whom times are written. */
export interface Reader {
  language: string;
  timezone: string;
  now: Date;
}

/** 11月16日周一 15:00–16:00 · Mon, Nov 16, 15:00–16:00. The year only where it is not this one. */
export function spanInWords(event: { start: string; end: string }, reader: Reader): string {
  const start = pointOf(event.start, reader);
  const end = pointOf(event.end, reader);
  const sameDay = start.date.equals(end.date);
  if (!start.time) return sameDay ? dayInWords(start.date, reader) : between(dayOf(start, reader), dayOf(end, reader));
  const from = moment(start, reader);
  return between(from, sameDay ? (end.time ?? '') : moment(end, reader));
}

interface Point {
  date: Temporal.PlainDate;
  time?: string;
}

function pointOf(text: string, { timezone }: Reader): Point {
  if (isDate(text)) return { date: Temporal.PlainDate.from(text) };
  const local = Temporal.Instant.from(text).toZonedDateTimeISO(timezone);
  return { date: local.toPlainDate(), time: local.toPlainTime().toString({ smallestUnit: 'minute' }) };
}

const between = (from: string, to: string): string => (from === to ? from : `${from}–${to}`);
const dayOf = ({ date }: Point, reader: Reader): string => dayInWords(date, reader);
const moment = (point: Point, reader: Reader): string => `${dayOf(point, reader)} ${point.time ?? ''}`.trim();

function dayFormats(language: string) {
  const short = { month: 'short', day: 'numeric', weekday: 'short', timeZone: 'UTC' } as const;
  return {
    short: new Intl.DateTimeFormat(language, short),
    withYear: new Intl.DateTimeFormat(language, { ...short, year: 'numeric' }),
  };
}
// To make a format takes longer than to write a hundred dates with it.
const chinese = dayFormats('zh-CN');
const english = dayFormats('en');

export function dayInWords(date: Temporal.PlainDate, { language, timezone, now }: Reader): string {
  const thisYear = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).year;
  const { short, withYear } = isChinese(language) ? chinese : english;
  const format = date.year === thisYear ? short : withYear;
  return format.format(date.toZonedDateTime('UTC').epochMilliseconds);
}
