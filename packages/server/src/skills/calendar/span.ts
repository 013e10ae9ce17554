import { Temporal } from 'temporal-polyfill';
import { SkillFailure } from '../failures.ts';

/**
 * When an event is: from one instant to another, or for whole days. Days have no zone: somebody's birthday is on the 20th
 * wherever they are. `end` is the instant at which it is over, or the last day.
 */
export type Span =
  | { allDay: false; start: Temporal.Instant; end: Temporal.Instant }
  | { allDay: true; start: Temporal.PlainDate; end: Temporal.PlainDate };

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;
const YEARS = { from: 1900, to: 2199 };
const MOST_DAYS = { timed: 31, allDay: 366 };

export const isDate = (text: string): boolean => DATE.test(text);

/** A date. Throws with the name of the field. */
export function readDate(text: string, field: string): Temporal.PlainDate {
  if (!DATE.test(text)) throw new SkillFailure('TIME_INVALID', field);
  return inRange(
    attempt(() => Temporal.PlainDate.from(text), field),
    field,
  );
}

/**
 * An instant: ISO 8601 with an offset, or local in `zone`. A local time that a clock change skips or repeats is read
 * as people mean it ("compatible"): the later one in a gap, the earlier one in an overlap.
 */
export function readInstant(text: string, zone: string, field: string): Temporal.Instant {
  const match = DATE_TIME.exec(text);
  if (!match) throw new SkillFailure('TIME_INVALID', field);
  const instant = attempt(
    () =>
      match[3]
        ? Temporal.Instant.from(text)
        : Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant(),
    field,
  );
  inRange(instant.toZonedDateTimeISO(zone), field);
  return instant.round({ smallestUnit: 'second', roundingMode: 'trunc' });
}

/** `end` may be midnight after the last day, as calendars write whole days among times. */
export function readSpan(given: { start: string; end: string; all_day?: boolean | undefined }, zone: string): Span {
  const span = given.all_day || isWholeDays(given) ? readDays(given, zone) : readTimes(given, zone);
  const length = lengthInDays(span);
  if (length < 0) throw new SkillFailure('END_BEFORE_START', 'end');
  const most = span.allDay ? MOST_DAYS.allDay : MOST_DAYS.timed;
  if (length > most) throw new SkillFailure('SPAN_TOO_LONG', 'end', { days: most });
  return span;
}

function isWholeDays({ start, end, all_day }: { start: string; end: string; all_day?: boolean | undefined }): boolean {
  return all_day !== false && DATE.test(start) && DATE.test(end);
}

function readDays(given: { start: string; end: string }, zone: string): Span {
  const start = dayOf(given.start, zone, 'start').date;
  const last = dayOf(given.end, zone, 'end');
  const isOver = last.midnight && Temporal.PlainDate.compare(last.date, start) > 0;
  return { allDay: true, start, end: isOver ? last.date.subtract({ days: 1 }) : last.date };
}

function dayOf(text: string, zone: string, field: string): { date: Temporal.PlainDate; midnight: boolean } {
  if (DATE.test(text)) return { date: readDate(text, field), midnight: false };
  const local = readInstant(text, zone, field).toZonedDateTimeISO(zone);
  return { date: local.toPlainDate(), midnight: local.equals(local.startOfDay()) };
}

function readTimes({ start, end }: { start: string; end: string }, zone: string): Span {
  return { allDay: false, start: readInstant(start, zone, 'start'), end: readInstant(end, zone, 'end') };
}

function lengthInDays(span: Span): number {
  if (span.allDay) return span.start.until(span.end).total('days');
  return span.start.until(span.end).total('hours') / 24;
}

function inRange<Point extends { year: number }>(point: Point, field: string): Point {
  if (point.year < YEARS.from || point.year > YEARS.to) throw new SkillFailure('TIME_OUT_OF_RANGE', field);
  return point;
}

function attempt<Value>(read: () => Value, field: string): Value {
  try {
    return read();
  } catch {
    throw new SkillFailure('TIME_INVALID', field);
  }
}

/** From when until when this is, for somebody in `zone`. */
export function boundsIn(span: Span, zone: string): { from: Temporal.Instant; to: Temporal.Instant } {
  if (!span.allDay) return { from: span.start, to: span.end };
  return { from: startOfDay(span.start, zone), to: startOfDay(span.end.add({ days: 1 }), zone) };
}

export const startOfDay = (date: Temporal.PlainDate, zone: string): Temporal.Instant =>
  date.toZonedDateTime(zone).startOfDay().toInstant();

/** Whether it takes place, even for a moment, within the bounds. */
export function touches(span: Span, bounds: { from: Temporal.Instant; to: Temporal.Instant }, zone: string): boolean {
  const own = boundsIn(span, zone);
  const { compare } = Temporal.Instant;
  if (compare(own.from, own.to) === 0) return compare(own.from, bounds.from) >= 0 && compare(own.from, bounds.to) < 0;
  return compare(own.from, bounds.to) < 0 && compare(own.to, bounds.from) > 0;
}

/** As a caller reads it: in their zone, with the offset; or the first and the last day. */
export function toWire(span: Span, zone: string): { start: string; end: string; all_day: boolean } {
  return { start: pointToWire(span.start, zone), end: pointToWire(span.end, zone), all_day: span.allDay };
}

function pointToWire(point: Temporal.Instant | Temporal.PlainDate, zone: string): string {
  if (point instanceof Temporal.PlainDate) return point.toString();
  return point.toZonedDateTimeISO(zone).toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

/** The wall clock at the start, in the zone where the event is at home: midnight for whole days. */
export function localStart(span: Span, zone: string): Temporal.PlainDateTime {
  return span.allDay ? span.start.toPlainDateTime() : span.start.toZonedDateTimeISO(zone).toPlainDateTime();
}

/** The same length from another start; undefined where one is a time and the other a day. */
export function withStart(span: Span, start: Span['start']): Span | undefined {
  if (start instanceof Temporal.PlainDate) {
    return span.allDay ? { allDay: true, start, end: start.add(span.start.until(span.end)) } : undefined;
  }
  return span.allDay ? undefined : { allDay: false, start, end: start.add(span.start.until(span.end)) };
}

/** The same length from another start on the wall clock. */
export function withLocalStart(span: Span, start: Temporal.PlainDateTime, zone: string): Span {
  if (span.allDay) {
    const day = start.toPlainDate();
    return { allDay: true, start: day, end: day.add(span.start.until(span.end)) };
  }
  const instant = start.toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant();
  return { allDay: false, start: instant, end: instant.add(span.start.until(span.end)) };
}

/** What the columns hold: whole days run from midnight to midnight in the event's own zone. */
export function toColumns(span: Span, zone: string): { starts_at: Date; ends_at: Date; all_day: boolean } {
  const { from, to } = boundsIn(span, zone);
  return { starts_at: toDate(from), ends_at: toDate(to), all_day: span.allDay };
}

export function fromColumns(row: { starts_at: Date; ends_at: Date; all_day: boolean; timezone: string }): Span {
  const start = fromDate(row.starts_at);
  const end = fromDate(row.ends_at);
  if (!row.all_day) return { allDay: false, start, end };
  const day = (instant: Temporal.Instant) => instant.toZonedDateTimeISO(row.timezone).toPlainDate();
  return { allDay: true, start: day(start), end: day(end).subtract({ days: 1 }) };
}

export const toDate = (instant: Temporal.Instant): Date => new Date(instant.epochMilliseconds);
export const fromDate = (date: Date): Temporal.Instant => Temporal.Instant.fromEpochMilliseconds(date.getTime());
