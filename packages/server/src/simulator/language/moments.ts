import type { Temporal } from 'temporal-polyfill';
import { CLOCK_PHRASES } from './clock-phrases.ts';
import { DAY_PHRASES } from './day-phrases.ts';
import { daysBetween } from './day-spans.ts';
import { DURATION_PHRASES } from './duration-phrases.ts';

/** Days from `start` to before `end`. */
export interface DayRange {
  start: Temporal.PlainDate;
  end: Temporal.PlainDate;
}

/** What a sentence says about time, in Chinese or English. */
export interface Moment {
  day?: Temporal.PlainDate;
  /** Where several days were named by the first and the last: 周三到周五. */
  lastDay?: Temporal.PlainDate;
  range?: DayRange;
  time?: Temporal.PlainTime;
  until?: Temporal.PlainTime;
  /** How long, in minutes. */
  minutes?: number;
  allDay?: boolean;
  /** An RRULE without its `RRULE:` prefix. */
  recurrence?: string;
}

/** One way of saying something about time. What it matches is taken out of the text. */
export interface TimePhrase {
  pattern: RegExp;
  read(match: RegExpExecArray, now: Temporal.ZonedDateTime): Moment | undefined;
}

/** Contractions that say two things at once. */
const EXPANSIONS: readonly [RegExp, string][] = [
  [/([今明后])儿个?/g, '$1天'],
  [/今晚/g, '今天晚上'],
  [/明晚/g, '明天晚上'],
  [/今早/g, '今天早上'],
  [/明早/g, '明天早上'],
  [/\btonight\b/gi, 'today in the evening'],
  [/\b(morning|afternoon|evening) (?:at|around) (\d)/gi, '$1 $2'],
  [/：/g, ':'],
  // Slips of a phonetic keyboard that are no words of their own.
  [/下[五舞](?=\s*[\d一二两三四五六七八九十]+\s*[点:])/g, '下午'],
  [/[名命]天/g, '明天'],
];

/** Longer phrases are read first, so that 下周五 is not read as 下周, nor 一小时 as one o'clock. */
const PHRASES: readonly TimePhrase[] = [...DURATION_PHRASES, ...DAY_PHRASES, ...CLOCK_PHRASES];

/** Reads what the text says about time; `rest` is the text without it. */
export function readMoment(text: string, now: Temporal.ZonedDateTime): Moment & { rest: string } {
  let rest = EXPANSIONS.reduce((expanded, [from, to]) => expanded.replace(from, to), text);
  const moment: Moment = {};
  const days = daysBetween(rest, now);
  if (days) {
    Object.assign(moment, days.moment);
    rest = days.rest;
  }
  for (const { pattern, read } of PHRASES) {
    const match = pattern.exec(rest);
    const found = match && read(match, now);
    if (!match || !found || contradicts(moment, found)) continue;
    Object.assign(moment, found);
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
  }
  return { ...moment, rest: rest.replace(/\s+/g, ' ').trim() };
}

/** The first that speaks of a thing is believed. */
function contradicts(known: Moment, found: Moment): boolean {
  const taken = new Set(Object.keys(known));
  if (taken.has('day')) taken.add('range');
  if (taken.has('range')) taken.add('day');
  return Object.keys(found).some((key) => taken.has(key));
}

export function saysWhen(moment: Moment): boolean {
  return moment.day !== undefined || moment.range !== undefined || moment.time !== undefined;
}
