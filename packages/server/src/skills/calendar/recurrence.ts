import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { SkillFailure } from '../failures.ts';
import { localStart, type Span, toDate, withLocalStart, withStart } from './span.ts';

/** An event that repeats: its first occurrence, the rule, and the zone whose clock the rule follows. */
export interface Series {
  span: Span;
  recurrence: string;
  timezone: string;
}

const numbers = (low: number, high: number, signed: boolean) => (value: string) =>
  value.split(',').every((item) => {
    if (!/^[+-]?\d{1,3}$/.test(item)) return false;
    const number = Number(item);
    return (signed ? Math.abs(number) : number) >= low && Math.abs(number) <= high;
  });
const WEEKDAY = /^([+-]?([1-9]|[1-4]\d|5[0-3]))?(MO|TU|WE|TH|FR|SA|SU)$/;

/** Days and longer only, and no part that makes several occurrences of a day: what a rule can cost stays small. */
const parts: Record<string, (value: string) => boolean> = {
  FREQ: (value) => /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(value),
  INTERVAL: numbers(1, 999, false),
  COUNT: numbers(1, 999, false),
  UNTIL: (value) => /^\d{8}(T\d{6}Z?)?$/.test(value),
  BYDAY: (value) => value.split(',').every((day) => WEEKDAY.test(day)),
  BYMONTH: numbers(1, 12, false),
  BYMONTHDAY: numbers(1, 31, true),
  BYYEARDAY: numbers(1, 366, true),
  BYWEEKNO: numbers(1, 53, true),
  BYSETPOS: numbers(1, 366, true),
  WKST: (value) => /^(MO|TU|WE|TH|FR|SA|SU)$/.test(value),
};
const LONGEST_RULE = 300;
/** A series has to begin within this time of its start; longer looks are taken only when the shorter found nothing. */
const FIRST_LOOKS = [{ days: 40 }, { years: 1 }, { years: 10 }];
const LAST_YEAR = 2199;

/**
 * Checks a rule and gives it in the form that is kept: the span moved to the first occurrence, and `COUNT` as the
 * `UNTIL` it comes to, so that any stretch of the series can be computed without counting from its beginning.
 */
export function begin(text: string, span: Span, timezone: string): Series {
  const rule = readParts(text);
  const until = rule.get('UNTIL');
  if (until !== undefined) rule.set('UNTIL', writeUntil(readUntil(until, timezone), span, timezone));
  const count = rule.get('COUNT');
  rule.delete('COUNT');
  const open: Series = { span, recurrence: writeParts(rule), timezone };
  const first = firstOf(open);
  if (!first) throw new SkillFailure('RECURRENCE_NEVER', 'recurrence');
  const series = { ...open, span: first };
  return count === undefined ? series : endAfter(series, Number(count));
}

function readParts(text: string): Map<string, string> {
  const invalid = (reason: string) => new SkillFailure('RECURRENCE_INVALID', 'recurrence', { reason });
  const rule = new Map<string, string>();
  if (text.length > LONGEST_RULE) throw invalid('too long');
  for (const part of text
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')
    .filter(Boolean)) {
    const [name = '', value = ''] = part.split('=', 2);
    if (rule.has(name)) throw invalid(`${name} twice`);
    const check = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (!check?.(value)) throw invalid(check ? part : name || text);
    rule.set(name, value);
  }
  const frequency = rule.get('FREQ');
  if (!frequency) throw invalid('FREQ missing');
  if (/\d/.test(rule.get('BYDAY') ?? '') && !/MONTHLY|YEARLY/.test(frequency)) throw invalid(`BYDAY with ${frequency}`);
  if (rule.has('COUNT') && rule.has('UNTIL')) throw invalid('COUNT and UNTIL');
  return rule;
}

const writeParts = (rule: ReadonlyMap<string, string>): string =>
  Array.from(rule, ([name, value]) => `${name}=${value}`).join(';');

/** The last moment, on the wall clock of the series' zone. A date means the whole of that day. */
function readUntil(text: string, timezone: string): Temporal.PlainDateTime {
  try {
    if (text.endsWith('Z')) return Temporal.Instant.from(text).toZonedDateTimeISO(timezone).toPlainDateTime();
    return text.includes('T')
      ? Temporal.PlainDateTime.from(text)
      : Temporal.PlainDate.from(text).toPlainDateTime('23:59:59');
  } catch {
    throw new SkillFailure('RECURRENCE_INVALID', 'recurrence', { reason: `UNTIL=${text}` });
  }
}

function writeUntil(local: Temporal.PlainDateTime, span: Span, timezone: string): string {
  if (span.allDay) return basic(local.toPlainDate());
  return basic(local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).toInstant());
}

/** `20261116T070000Z`, `20261120` */
export function basic(point: Span['start']): string {
  const text = point instanceof Temporal.Instant ? point.toString({ smallestUnit: 'second' }) : point.toString();
  return text.replace(/[-:]/g, '');
}

function firstOf(series: Series): Span | undefined {
  const start = localStart(series.span, 'UTC').toZonedDateTime('UTC');
  for (const look of FIRST_LOOKS) {
    const [first] = occurrences(series, start.toInstant(), start.add(look).toInstant());
    if (first) return first;
  }
  return undefined;
}

function endAfter(series: Series, count: number): Series {
  const all = ruleOf({ ...series, recurrence: `${series.recurrence};COUNT=${count}` }).all(
    (occurrence) => occurrence.year <= LAST_YEAR,
  );
  const last = all.at(-1);
  if (!last || all.length < count) return series;
  const until = basic(series.span.allDay ? last.toPlainDate() : last.toInstant());
  return { ...series, recurrence: `${series.recurrence};UNTIL=${until}` };
}

/** Whole days are computed in UTC, where every midnight exists. */
function ruleOf({ span, recurrence, timezone }: Series) {
  const dtstart = span.allDay ? span.start.toZonedDateTime('UTC') : span.start.toZonedDateTimeISO(timezone);
  return new RRuleTemporal({ rruleString: recurrence, dtstart, temporal: Temporal, cache: false });
}

/** The occurrences that start in [from, to). For whole days the bounds are read as UTC: ask a day more on each side. */
export function occurrences(series: Series, from: Temporal.Instant, to: Temporal.Instant): Span[] {
  return expansionOf(series)(from, to);
}

/** The same, for several stretches of one series: the rule is read once. */
export function expansionOf(series: Series): (from: Temporal.Instant, to: Temporal.Instant) => Span[] {
  const { span } = series;
  const rule = ruleOf(series);
  return (from, to) =>
    rule
      .between(toDate(from), toDate(to), true)
      .filter((start) => Temporal.Instant.compare(start.toInstant(), to) < 0)
      .flatMap((start) => withStart(span, span.allDay ? start.toPlainDate() : start.toInstant()) ?? []);
}

/** Whether the rule has an occurrence that starts exactly then. */
export function hasOccurrence(series: Series, start: Span['start']): boolean {
  const at = start instanceof Temporal.PlainDate ? start.toZonedDateTime('UTC').toInstant() : start;
  return ruleOf(series).matches(toDate(at));
}

/** The series without `start` and what comes after it. */
export function endBefore(series: Series, start: Span['start']): Series {
  const last = start instanceof Temporal.PlainDate ? start.subtract({ days: 1 }) : start.subtract({ seconds: 1 });
  const rule = readParts(series.recurrence);
  rule.set('UNTIL', basic(last));
  return { ...series, recurrence: writeParts(rule) };
}

/** The series moved on the wall clock, its end with it, to a span of perhaps another length or kind. */
export function move(series: Series, by: Temporal.Duration, shape: Span): Series {
  const { timezone } = series;
  const span = withLocalStart(shape, localStart(series.span, timezone).add(by), timezone);
  const rule = readParts(series.recurrence);
  const until = rule.get('UNTIL');
  if (until !== undefined) rule.set('UNTIL', writeUntil(readUntil(until, timezone).add(by), span, timezone));
  const moved = { ...series, span, recurrence: writeParts(rule) };
  // The rule may name days (BYDAY=MO): a series moved off them would never begin where it was put.
  if (!hasOccurrence(moved, span.start)) throw new SkillFailure('RECURRENCE_MISMATCH', 'recurrence');
  return moved;
}
