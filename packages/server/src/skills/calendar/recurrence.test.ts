import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { SkillFailure } from '../failures.ts';
import { begin, endBefore, hasOccurrence, move, occurrences } from './recurrence.ts';
import type { Span } from './span.ts';

const zones = [
  'America/New_York',
  'Europe/Berlin',
  'Asia/Shanghai',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Santiago',
  'UTC',
];
const zone = fc.constantFrom(...zones);
/** Around the changes of the clocks, and at the hours that they skip and repeat. */
const local = fc
  .record({
    day: fc.integer({ min: 0, max: 1100 }),
    hour: fc.constantFrom(0, 1, 2, 3, 9, 23),
    minute: fc.constantFrom(0, 15, 30),
  })
  .map(({ day, hour, minute }) => Temporal.PlainDateTime.from('2025-02-01').add({ days: day }).with({ hour, minute }));
const weekdays = fc.uniqueArray(fc.constantFrom('MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'), {
  minLength: 1,
  maxLength: 4,
});
const frequency = fc.oneof(
  fc.constant('FREQ=DAILY'),
  fc.constant('FREQ=WEEKLY'),
  weekdays.map((days) => `FREQ=WEEKLY;BYDAY=${days.join(',')}`),
  fc.constant('FREQ=MONTHLY'),
  fc.integer({ min: 1, max: 31 }).map((day) => `FREQ=MONTHLY;BYMONTHDAY=${day}`),
  fc.tuple(fc.constantFrom(-1, 1, 2), weekdays).map(([nth, [day]]) => `FREQ=MONTHLY;BYDAY=${nth}${day}`),
  fc.constant('FREQ=YEARLY'),
);
const rule = fc
  .tuple(frequency, fc.integer({ min: 1, max: 3 }), fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }))
  .map(([text, interval, count]) => `${text};INTERVAL=${interval}${count ? `;COUNT=${count}` : ''}`);

const hour = (start: Temporal.Instant): Span => ({ allDay: false, start, end: start.add({ hours: 1 }) });

/** The library's own answer to the rule as it was written. */
function expected(
  text: string,
  dtstart: Temporal.ZonedDateTime,
  from: Temporal.Instant,
  to: Temporal.Instant,
): string[] {
  const within = (at: Temporal.Instant) =>
    Temporal.Instant.compare(at, from) >= 0 && Temporal.Instant.compare(at, to) < 0;
  return new RRuleTemporal({ rruleString: text, dtstart, temporal: Temporal, cache: false })
    .all((at) => Temporal.Instant.compare(at.toInstant(), to) < 0)
    .map((at) => at.toInstant())
    .filter(within)
    .map(String);
}

describe('a series', () => {
  test('has exactly the occurrences of its rule, across every change of the clocks', () => {
    fc.assert(
      fc.property(rule, local, zone, fc.integer({ min: -10, max: 500 }), (text, start, timezone, offset) => {
        const dtstart = start.toZonedDateTime(timezone);
        const series = begin(text, hour(dtstart.toInstant()), timezone);
        const from = dtstart.add({ days: offset }).toInstant();
        const to = from.add({ hours: 24 * 120 });
        expect(occurrences(series, from, to).map(({ start }) => String(start))).toEqual(
          expected(text, dtstart, from, to),
        );
      }),
      { numRuns: 300 },
    );
  });

  test('of whole days falls on the same dates in every zone, even where a midnight is skipped', () => {
    fc.assert(
      fc.property(rule, local, zone, (text, start, timezone) => {
        const day = start.toPlainDate();
        const series = begin(text, { allDay: true, start: day, end: day.add({ days: 1 }) }, timezone);
        const utc = day.toZonedDateTime('UTC');
        const [from, to] = [utc.toInstant(), utc.add({ days: 200 }).toInstant()];
        const dates = occurrences(series, from, to).map(({ start }) => `${start}T00:00:00Z`);
        expect(dates).toEqual(expected(text, utc, from, to));
      }),
      { numRuns: 150 },
    );
  });

  test('keeps its hour on the wall when the clocks change', () => {
    const start = Temporal.ZonedDateTime.from('2026-10-24T09:00[Europe/Berlin]');
    const series = begin('FREQ=DAILY;COUNT=3', hour(start.toInstant()), 'Europe/Berlin');
    expect(
      occurrences(series, start.toInstant(), start.add({ days: 5 }).toInstant()).map(({ start }) => `${start}`),
    ).toEqual(['2026-10-24T07:00:00Z', '2026-10-25T08:00:00Z', '2026-10-26T08:00:00Z']);
  });

  test('ended before an occurrence has what came before it, and nothing else', () => {
    fc.assert(
      fc.property(rule, local, zone, fc.nat({ max: 20 }), (text, start, timezone, nth) => {
        const from = start.toZonedDateTime(timezone).toInstant();
        const series = begin(text, hour(from), timezone);
        const to = from.add({ hours: 24 * 400 });
        const all = occurrences(series, from, to);
        const cut = all[Math.min(nth, all.length - 1)];
        if (!cut) return;
        const before = occurrences(endBefore(series, cut.start), from, to);
        expect(before.map(({ start }) => `${start}`)).toEqual(
          all.slice(0, all.indexOf(cut)).map(({ start }) => `${start}`),
        );
      }),
      { numRuns: 100 },
    );
  });

  test('moved by some hours has every occurrence moved, its last one too', () => {
    const start = Temporal.ZonedDateTime.from('2026-11-16T10:00[Asia/Shanghai]');
    const series = begin('FREQ=WEEKLY;BYDAY=MO;COUNT=4', hour(start.toInstant()), 'Asia/Shanghai');
    const moved = move(series, Temporal.Duration.from({ hours: 5 }), series.span);
    expect(
      occurrences(moved, start.toInstant(), start.add({ days: 90 }).toInstant()).map(({ start }) => `${start}`),
    ).toEqual(['2026-11-16T07:00:00Z', '2026-11-23T07:00:00Z', '2026-11-30T07:00:00Z', '2026-12-07T07:00:00Z']);
    expect(() => move(series, Temporal.Duration.from({ days: 1 }), series.span)).toThrow('RECURRENCE_MISMATCH');
    expect(hasOccurrence(moved, start.toInstant())).toBe(false);
  });

  test('begins at its first occurrence, wherever it was put', () => {
    const monday = Temporal.ZonedDateTime.from('2026-11-16T10:00[Asia/Shanghai]').toInstant();
    const series = begin('RRULE:freq=weekly;byday=WE', hour(monday), 'Asia/Shanghai');
    expect(`${series.span.start}`).toBe('2026-11-18T02:00:00Z');
    expect(series.recurrence).toBe('FREQ=WEEKLY;BYDAY=WE');
  });
});

test.each([
  'FREQ=HOURLY',
  'FREQ=MINUTELY',
  'FREQ=SECONDLY;COUNT=10',
  'FREQ=DAILY;BYHOUR=1,2,3',
  'FREQ=DAILY;BYMINUTE=1',
  'FREQ=DAILY;COUNT=0',
  'FREQ=DAILY;COUNT=1000000',
  'FREQ=DAILY;INTERVAL=0',
  'FREQ=DAILY;COUNT=3;UNTIL=20270101',
  'FREQ=DAILY;UNTIL=20271301',
  'FREQ=DAILY;FREQ=WEEKLY',
  'FREQ=WEEKLY;BYDAY=2MO',
  'FREQ=MONTHLY;BYMONTHDAY=32',
  'FREQ=DAILY;CONSTRUCTOR=1',
  'RSCALE=CHINESE;FREQ=YEARLY',
  'INTERVAL=2',
  'FREQ=DAILY\nEXDATE:20261117T150000',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;UNTIL=20200101',
  `FREQ=DAILY;BYMONTHDAY=${'1,'.repeat(200)}1`,
  '',
])('%j is refused, and quickly', (text) => {
  const start = Temporal.ZonedDateTime.from('2026-11-16T02:30[America/New_York]').toInstant();
  const begun = performance.now();
  expect(() => begin(text, hour(start), 'America/New_York')).toThrow(SkillFailure);
  expect(performance.now() - begun).toBeLessThan(2000);
});
