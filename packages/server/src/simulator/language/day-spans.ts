import { Temporal } from 'temporal-polyfill';
import { DAY_PHRASES } from './day-phrases.ts';
import type { Moment, TimePhrase } from './moments.ts';

const JOINT = /\s*(?:到|至|~|-|–|—|\b(?:to|until|till|through)\b)\s*/gi;
const FROM = /(?:从|\bfrom\s|\bbetween\s)\s*$/i;
/** Dec 21-25: the last day may be no more than its number. */
const BARE_DAY = /^(\d{1,2})(?:st|nd|rd|th)?\b(?!\s*[:点时月]|\s*[ap]\.?m\b)/i;

const anchored = (phrases: readonly TimePhrase[], before: string, after: string): TimePhrase[] =>
  phrases.map(({ pattern, read }) => ({
    pattern: new RegExp(`${before}(?:${pattern.source})${after}`, pattern.flags),
    read,
  }));
const AT_THE_END = anchored(DAY_PHRASES, '', '$');
const AT_THE_BEGINNING = anchored(DAY_PHRASES, '^', '');

interface NamedDay {
  day: Temporal.PlainDate;
  at: number;
  length: number;
}

/** 下周三到周五 · Dec 21 to Dec 25: days that are named by the first and the last, and the text without them. */
export function daysBetween(text: string, now: Temporal.ZonedDateTime): { moment: Moment; rest: string } | undefined {
  for (const joint of text.matchAll(JOINT)) {
    const before = text.slice(0, joint.index);
    const first = namedDay(AT_THE_END, before, now);
    if (!first) continue;
    const after = text.slice(joint.index + joint[0].length);
    const last = lastDay(after, first.day, /\d/.test(before.slice(first.at)), now);
    if (!last) continue;
    const rest = `${before.slice(0, first.at).replace(FROM, '')} ${after.slice(last.length)}`;
    return { moment: { day: first.day, lastDay: last.day }, rest };
  }
  return undefined;
}

/** Told from today; where that lies before the first day, told from the first day: of 下周三到周五 both are next week. */
function lastDay(
  text: string,
  first: Temporal.PlainDate,
  numbered: boolean,
  now: Temporal.ZonedDateTime,
): NamedDay | undefined {
  const fromThere = first.toZonedDateTime(now.timeZoneId);
  const found = [now, fromThere]
    .map((today) => namedDay(AT_THE_BEGINNING, text, today))
    .find((day) => isAfter(day, first));
  if (found || !numbered) return found;
  const bare = BARE_DAY.exec(text);
  const day = bare && Number(bare[1]) <= first.daysInMonth ? first.with({ day: Number(bare[1]) }) : undefined;
  const named = bare && day ? { day, at: 0, length: bare[0].length } : undefined;
  return isAfter(named, first) ? named : undefined;
}

const isAfter = (named: NamedDay | undefined, first: Temporal.PlainDate): boolean =>
  named !== undefined && Temporal.PlainDate.compare(named.day, first) > 0;

function namedDay(phrases: readonly TimePhrase[], text: string, now: Temporal.ZonedDateTime): NamedDay | undefined {
  for (const { pattern, read } of phrases) {
    const match = pattern.exec(text);
    const day = match && read(match, now)?.day;
    if (match && day) return { day, at: match.index, length: match[0].length };
  }
  return undefined;
}
