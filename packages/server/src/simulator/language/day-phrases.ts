import { Temporal } from 'temporal-polyfill';
import type { Moment, TimePhrase } from './moments.ts';
import { ENGLISH_NUMBER, NUMBER, readNumber } from './numbers.ts';
import { ENGLISH_WEEKDAY, mondayOf, readWeekday, upcoming } from './weekdays.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const ENGLISH_MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

const DAYS_FROM_TODAY: Readonly<Record<string, number>> = {
  大后天: 3,
  后天: 2,
  明天: 1,
  明日: 1,
  今天: 0,
  今日: 0,
  昨天: -1,
  前天: -2,
  'day after tomorrow': 2,
  tomorrow: 1,
  today: 0,
  yesterday: -1,
};

/** 上, 本, 下, 下下 and their English likes: how many weeks or months away. */
const AWAY: Readonly<Record<string, number>> = {
  上: -1,
  这: 0,
  本: 0,
  下: 1,
  下下: 2,
  last: -1,
  this: 0,
  coming: 0,
  next: 1,
};

/** 查一下周五 asks for Friday and 查一下下周 for next week: the 下 of 一下 counts nothing. */
const CHINESE_AWAY = '(?<![一查看问])下下|(?<!一)下|上|这|本';

const away = (word: string | undefined) => AWAY[word?.toLowerCase() ?? ''];

function relativeDay(match: RegExpExecArray, now: Temporal.ZonedDateTime): Moment | undefined {
  const days = DAYS_FROM_TODAY[match[1]?.toLowerCase() ?? ''];
  return days === undefined ? undefined : { day: now.toPlainDate().add({ days }) };
}

/** Friday alone is the next one; this Friday and 周五 of a named week are of that week, counted from Monday. */
function weekday(match: RegExpExecArray, now: Temporal.ZonedDateTime): Moment {
  const today = now.toPlainDate();
  const day = readWeekday(match[2] ?? '');
  const weeks = away(match[1]);
  if (weeks === undefined) return { day: upcoming(day, today) };
  return { day: mondayOf(today).add({ days: weeks * 7 + day - 1 }) };
}

function week(match: RegExpExecArray, now: Temporal.ZonedDateTime): Moment {
  const start = mondayOf(now.toPlainDate()).add({ weeks: away(match[1]) ?? 0 });
  return { range: { start, end: start.add({ weeks: 1 }) } };
}

function weekend(match: RegExpExecArray, now: Temporal.ZonedDateTime): Moment {
  const start = mondayOf(now.toPlainDate()).add({ weeks: away(match[1]) ?? 0, days: 5 });
  return { range: { start, end: start.add({ days: 2 }) } };
}

function month(match: RegExpExecArray, now: Temporal.ZonedDateTime): Moment {
  const start = now
    .toPlainDate()
    .with({ day: 1 })
    .add({ months: away(match[1]) ?? 0 });
  return { range: { start, end: start.add({ months: 1 }) } };
}

function nextDays(days: number, now: Temporal.ZonedDateTime): Moment {
  const start = now.toPlainDate();
  return { range: { start, end: start.add({ days }) } };
}

/** A date without a year is this year's, unless that is more than half a year gone. */
function date(
  now: Temporal.ZonedDateTime,
  year: string | undefined,
  monthNumber: number,
  day: number,
): Moment | undefined {
  const today = now.toPlainDate();
  try {
    const fields = { year: year ? Number(year) : today.year, month: monthNumber, day };
    const found = Temporal.PlainDate.from(fields, { overflow: 'reject' });
    const longAgo = !year && today.since(found, { largestUnit: 'days' }).days > 180;
    return { day: longAgo ? found.add({ years: 1 }) : found };
  } catch {
    return undefined;
  }
}

const monthNumber = (name: string | undefined) => 1 + MONTHS.indexOf((name ?? '').slice(0, 3).toLowerCase());

/** Days and stretches of days. */
export const DAY_PHRASES: readonly TimePhrase[] = [
  {
    pattern: /(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})[日号]?T?/,
    read: (match, now) => date(now, match[1], Number(match[2]), Number(match[3])),
  },
  {
    pattern: new RegExp(`(${NUMBER})月(${NUMBER})[日号]?`),
    read: (match, now) => date(now, undefined, readNumber(match[1] ?? ''), readNumber(match[2] ?? '')),
  },
  {
    pattern: new RegExp(`(?:\\bon )?\\b(${ENGLISH_MONTH})\\.? (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4}))?`, 'i'),
    read: (match, now) => date(now, match[3], monthNumber(match[1]), Number(match[2])),
  },
  {
    pattern: new RegExp(
      `(?:\\bon )?(?:\\bthe )?\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(${ENGLISH_MONTH})\\b(?:,? (\\d{4}))?`,
      'i',
    ),
    read: (match, now) => date(now, match[3], monthNumber(match[2]), Number(match[1])),
  },
  {
    pattern: new RegExp(`(${NUMBER})天(?:后|以后|之后)`),
    read: (match, now) => ({ day: now.toPlainDate().add({ days: readNumber(match[1] ?? '') }) }),
  },
  {
    pattern: new RegExp(`\\bin (${ENGLISH_NUMBER}) days\\b`, 'i'),
    read: (match, now) => ({ day: now.toPlainDate().add({ days: readNumber(match[1] ?? '') }) }),
  },
  {
    pattern: new RegExp(`(?:未来|接下来|今后|最近)的?(${NUMBER})天`),
    read: (match, now) => nextDays(readNumber(match[1] ?? ''), now),
  },
  {
    pattern: new RegExp(`\\b(?:the )?(?:next|coming) (${ENGLISH_NUMBER}) days\\b`, 'i'),
    read: (match, now) => nextDays(readNumber(match[1] ?? ''), now),
  },
  { pattern: new RegExp(`(${CHINESE_AWAY})?个?周末`), read: weekend },
  { pattern: /\b(?:(?:on|over) )?(?:the )?(?:(this|next|last) )?weekend\b/i, read: weekend },
  { pattern: new RegExp(`(${CHINESE_AWAY})?个?(?:周|星期|礼拜)([一二三四五六]|[日天](?![程历常报]))`), read: weekday },
  {
    pattern: new RegExp(`(?:\\bon )?\\b(?:(this|next|last|coming) )?(${ENGLISH_WEEKDAY})\\b(?:['’]s)?`, 'i'),
    read: weekday,
  },
  { pattern: new RegExp(`(${CHINESE_AWAY})一?个?(?:周|星期|礼拜)`), read: week },
  { pattern: /\b(?:in |for )?(this|next|last) week\b(?:['’]s)?/i, read: week },
  { pattern: new RegExp(`(${CHINESE_AWAY})个?月`), read: month },
  { pattern: /\b(?:in |for )?(this|next|last) month\b(?:['’]s)?/i, read: month },
  { pattern: /(大后天|后天|明天|明日|今天|今日|昨天|前天)/, read: relativeDay },
  { pattern: /\b(?:the )?(day after tomorrow)\b/i, read: relativeDay },
  { pattern: /\b(?:for )?(tomorrow|today|yesterday)\b(?:['’]s)?/i, read: relativeDay },
  {
    pattern: new RegExp(`(?<![\\d.])(${NUMBER})[号日](?!会议室|楼|线|门|厅)`),
    read: (match, now) => date(now, undefined, now.month, readNumber(match[1] ?? '')),
  },
  {
    pattern: /(?:\bon )?\bthe (\d{1,2})(?:st|nd|rd|th)\b/i,
    read: (match, now) => date(now, undefined, now.month, Number(match[1])),
  },
  {
    pattern: /最近|近期|未来一周|接下来一周|\b(?:upcoming|the coming week)\b/i,
    read: (_match, now) => nextDays(7, now),
  },
];
