import { Temporal } from 'temporal-polyfill';
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

/** On these days of every week, or of every second one; the first of them that comes is the first. */
function everyWeek(days: readonly number[], now: Temporal.ZonedDateTime, weeks = 1): Moment | undefined {
  const inOrder = [...new Set(days)].toSorted((one, other) => one - other);
  const [first] = inOrder.map((day) => upcoming(day, now.toPlainDate())).toSorted(Temporal.PlainDate.compare);
  const rule = `FREQ=WEEKLY${weeks > 1 ? `;INTERVAL=${weeks}` : ''}`;
  return first && { recurrence: `${rule};BYDAY=${inOrder.map((day) => RULE_DAYS[day - 1]).join(',')}`, day: first };
}

const weekdaysIn = (text: string, pattern: RegExp): number[] => (text.match(pattern) ?? []).map(readWeekday);
const CHINESE_WEEK = '(?:周|星期|礼拜)';
const CHINESE_DAY = '[一二三四五六日天]';
/** 一三五, 一和周三, 一、三; but 一三点 is Monday at three. */
const CHINESE_DAYS = `${CHINESE_DAY}(?:\\s*[、和,，及]?\\s*${CHINESE_WEEK}?${CHINESE_DAY}(?!\\s*[点时个次小刻十]))*`;
const ENGLISH_DAYS = `(?:${ENGLISH_WEEKDAY})(?:(?:,| and|, and) (?:every )?(?:${ENGLISH_WEEKDAY}))*`;
const ENGLISH_PLURAL = '(?:mon|tues|wednes|thurs|fri|satur|sun)days';

/** How long, how often, and how far from now. */
export const DURATION_PHRASES: readonly TimePhrase[] = [
  { pattern: /(?:每个?|逢)工作日|\bevery (?:weekday|working day)\b/i, read: () => ({ recurrence: EVERY_WORKDAY }) },
  {
    pattern: new RegExp(`(?:每个?|(每两|每二|隔|每隔一?个?))${CHINESE_WEEK}的?${CHINESE_WEEK}?(${CHINESE_DAYS})`),
    read: (match, now) => everyWeek(weekdaysIn(match[2] ?? '', new RegExp(CHINESE_DAY, 'g')), now, match[1] ? 2 : 1),
  },
  {
    pattern: new RegExp(`\\bevery (other |second )?(${ENGLISH_DAYS})\\b`, 'i'),
    read: (match, now) =>
      everyWeek(weekdaysIn(match[2] ?? '', new RegExp(`\\b(?:${ENGLISH_WEEKDAY})\\b`, 'gi')), now, match[1] ? 2 : 1),
  },
  {
    pattern: new RegExp(`(?:\\bon )?\\b${ENGLISH_PLURAL}(?:(?:,| and|, and) ${ENGLISH_PLURAL})*\\b`, 'i'),
    read: (match, now) => everyWeek(weekdaysIn(match[0], new RegExp(ENGLISH_PLURAL, 'gi')), now),
  },
  {
    pattern:
      /(?:每两|每二|隔|每隔一?个?)(?:周|星期|礼拜)|\b(?:every (?:other|second|two|2) weeks?|biweekly|fortnightly)\b/i,
    read: () => ({ recurrence: 'FREQ=WEEKLY;INTERVAL=2' }),
  },
  {
    pattern: new RegExp(`每个?月(${NUMBER})[号日]`),
    read: (match) => ({ recurrence: `FREQ=MONTHLY;BYMONTHDAY=${readNumber(match[1] ?? '')}` }),
  },
  { pattern: /每天|每日|天天|\b(?:every day|daily)\b/i, read: () => ({ recurrence: 'FREQ=DAILY' }) },
  { pattern: /每个?(?:周|星期|礼拜)|\b(?:every week|weekly)\b/i, read: () => ({ recurrence: 'FREQ=WEEKLY' }) },
  { pattern: /每个?月|\b(?:every month|monthly)\b/i, read: () => ({ recurrence: 'FREQ=MONTHLY' }) },
  { pattern: /每年|\b(?:every year|yearly|annually)\b/i, read: () => ({ recurrence: 'FREQ=YEARLY' }) },
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
