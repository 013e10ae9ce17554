import { Temporal } from 'temporal-polyfill';
import type { DayRange } from './moments.ts';
import { instantOf, type Reading } from './reading.ts';

const CHINESE_DAYS = '一二三四五六日';
const ENGLISH_DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const ENGLISH_MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** 11月17日 周二 · Tue, Nov 17; the year only where it is not this one. */
export function formatDay(day: Temporal.PlainDate, { say, now }: Reading): string {
  const otherYear = day.year !== now.year;
  const weekday = day.dayOfWeek - 1;
  return say(
    `${otherYear ? `${day.year}年` : ''}${day.month}月${day.day}日 周${CHINESE_DAYS[weekday]}`,
    `${ENGLISH_DAYS[weekday]}, ${ENGLISH_MONTHS[day.month - 1]} ${day.day}${otherYear ? ` ${day.year}` : ''}`,
  );
}

export const formatTime = (time: Temporal.PlainTime): string => time.toString({ smallestUnit: 'minute' });

export function formatRange({ start, end }: DayRange, reading: Reading): string {
  const last = end.subtract({ days: 1 });
  return `${formatDay(start, reading)} – ${formatDay(last, reading)}`;
}

/** The instant as the skills take it: ISO 8601 with the offset of the user's zone. */
export function isoOf(day: Temporal.PlainDate, time: Temporal.PlainTime, { now }: Reading): string {
  return isoString(day.toZonedDateTime({ timeZone: now.timeZoneId, plainTime: time }));
}

export const isoString = (moment: Temporal.ZonedDateTime): string =>
  moment.toString({ timeZoneName: 'never', smallestUnit: 'second' });

export const MIDNIGHT = Temporal.PlainTime.from('00:00');

/** A time out of a tool's result, with or without an offset, in the user's zone. */
export function localTime(text: string | undefined, { now }: Reading): Temporal.ZonedDateTime | undefined {
  const instant = instantOf(text);
  if (instant) return instant.toZonedDateTimeISO(now.timeZoneId);
  try {
    return text === undefined ? undefined : Temporal.PlainDateTime.from(text).toZonedDateTime(now.timeZoneId);
  } catch {
    return undefined;
  }
}

function wholeDays(first: string, end: Temporal.ZonedDateTime | undefined, reading: Reading): string {
  const last = end ? formatDay(end.toPlainDate(), reading) : first;
  return last === first ? first : `${first} – ${last}`;
}

/** 11月17日 周二 15:00–16:00. A day that ends at midnight is named once. */
export function formatSpan(event: { start?: string; end?: string; all_day?: boolean }, reading: Reading): string {
  const start = localTime(event.start, reading);
  const end = localTime(event.end, reading);
  if (!start) return event.start ?? '';
  const day = formatDay(start.toPlainDate(), reading);
  if (event.all_day) return `${wholeDays(day, end, reading)} ${reading.say('全天', 'all day')}`;
  const from = formatTime(start.toPlainTime());
  if (!end) return `${day} ${from}`;
  const sameDay = end.toPlainDate().equals(start.toPlainDate());
  const until = formatTime(end.toPlainTime());
  return `${day} ${from}–${sameDay ? until : `${formatDay(end.toPlainDate(), reading)} ${until}`}`;
}
