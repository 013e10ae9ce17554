import type { Temporal } from 'temporal-polyfill';
import type { Moment, TimePhrase } from './moments.ts';
import { ENGLISH_NUMBER, NUMBER, readNumber } from './numbers.ts';
import { ENGLISH_WEEKDAY, readWeekday, upcoming } from './weekdays.ts';

const RULE_DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const EVERY_WORKDAY = 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR';

function fromNow(minutes: number, now: Temporal.ZonedDateTime): Moment {
  const then = now.add({ minutes }).round('minute');
  return { day: then.toPlainDate(), time: then.toPlainTime() };
}

const isMinute = (unit: string | undefined) => /^(m|分)/i.test(unit ?? '');
const inMinutes = (count: string | undefined, unit: string | undefined) =>
  /^an?$/i.test(count ?? '') ? unitMinutes(unit) : readNumber(count ?? '') * unitMinutes(unit);
const unitMinutes = (unit: string | undefined) => (isMinute(unit) ? 1 : 60);

function everyWeek(day: number, now: Temporal.ZonedDateTime): Moment {
  return { recurrence: `FREQ=WEEKLY;BYDAY=${RULE_DAYS[day - 1]}`, day: upcoming(day, now.toPlainDate()) };
}

/** How long, how often, and how far from now. */
export const DURATION_PHRASES: readonly TimePhrase[] = [
  { pattern: /(?:每个?|逢)工作日|\bevery (?:weekday|working day)\b/i, read: () => ({ recurrence: EVERY_WORKDAY }) },
  {
    pattern: /每个?(?:周|星期|礼拜)([一二三四五六日天])/,
    read: (match, now) => everyWeek(readWeekday(match[1] ?? ''), now),
  },
  {
    pattern: new RegExp(`\\bevery (${ENGLISH_WEEKDAY})\\b`, 'i'),
    read: (match, now) => everyWeek(readWeekday(match[1] ?? ''), now),
  },
  {
    pattern: new RegExp(`每个?月(${NUMBER})[号日]`),
    read: (match) => ({ recurrence: `FREQ=MONTHLY;BYMONTHDAY=${readNumber(match[1] ?? '')}` }),
  },
  { pattern: /每天|每日|天天|\b(?:every day|daily)\b/i, read: () => ({ recurrence: 'FREQ=DAILY' }) },
  { pattern: /每个?(?:周|星期|礼拜)|\b(?:every week|weekly)\b/i, read: () => ({ recurrence: 'FREQ=WEEKLY' }) },
  { pattern: /每个?月|\b(?:every month|monthly)\b/i, read: () => ({ recurrence: 'FREQ=MONTHLY' }) },
  { pattern: /全天|整天|一整天|\ball[- ]day\b/i, read: () => ({ allDay: true }) },
  { pattern: /半个?(?:小时|钟头)(?:后|以后|之后)|\bin half an hour\b/i, read: (_match, now) => fromNow(30, now) },
  {
    pattern: new RegExp(`(${NUMBER})\\s*(?:个?(小时|钟头)|(分钟))(?:后|以后|之后)`),
    read: (match, now) => fromNow(inMinutes(match[1], match[3] ?? match[2]), now),
  },
  {
    pattern: new RegExp(`\\bin (an?|${ENGLISH_NUMBER}) (hours?|minutes?|mins?)\\b`, 'i'),
    read: (match, now) => fromNow(inMinutes(match[1], match[2]), now),
  },
  {
    pattern: new RegExp(`(${NUMBER})个半(?:小时|钟头)`),
    read: (match) => ({ minutes: readNumber(match[1] ?? '') * 60 + 30 }),
  },
  { pattern: /(?:\bfor )?\ban hour and a half\b/i, read: () => ({ minutes: 90 }) },
  { pattern: /半个?(?:小时|钟头)|(?:\bfor )?\bhalf an hour\b/i, read: () => ({ minutes: 30 }) },
  { pattern: /一刻钟/, read: () => ({ minutes: 15 }) },
  {
    pattern: new RegExp(`(\\d+\\.\\d+|${NUMBER})\\s*(?:个?(小时|钟头)|(分钟))`),
    read: (match) => ({ minutes: inMinutes(match[1], match[3] ?? match[2]) }),
  },
  {
    pattern: new RegExp(`(?:\\bfor )?\\b(an?|\\d+\\.\\d+|${ENGLISH_NUMBER})[ -]?(hours?|hrs?|minutes?|mins?)\\b`, 'i'),
    read: (match) => ({ minutes: inMinutes(match[1], match[2]) }),
  },
];
