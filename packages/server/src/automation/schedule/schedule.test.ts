import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cronSchedule } from './cron.ts';
import { type KeptSchedule, type Schedule, scheduleOf } from './schedule.ts';

const times = (schedule: Schedule, from: string, count: number): string[] => {
  const found: string[] = [];
  let after = new Date(from);
  for (let index = 0; index < count; index += 1) {
    const next = schedule.next(after);
    if (!next) break;
    found.push(next.toISOString().replace(':00.000Z', 'Z'));
    after = next;
  }
  return found;
};

describe('cron', () => {
  test('is read on the wall clock of its zone', () => {
    const nine = cronSchedule('0 9 * * 1-5', 'Asia/Shanghai');
    expect(times(nine, '2026-11-13T00:00:00Z', 2)).toEqual(['2026-11-13T01:00Z', '2026-11-16T01:00Z']);
  });

  test('a due time itself is not after itself, whatever the milliseconds', () => {
    const nine = cronSchedule('0 9 * * *', 'UTC');
    expect(nine.next(new Date('2026-11-13T08:59:59.999Z'))).toEqual(new Date('2026-11-13T09:00:00Z'));
    expect(nine.next(new Date('2026-11-13T09:00:00.000Z'))).toEqual(new Date('2026-11-14T09:00:00Z'));
  });

  // New York puts its clocks back at 06:00Z on 1 November 2026 and forward at 07:00Z on 8 March 2026.
  test('a time that comes twice when clocks are put back is due once, the first time', () => {
    const halfPastOne = cronSchedule('30 1 * * *', 'America/New_York');
    expect(times(halfPastOne, '2026-10-31T12:00:00Z', 2)).toEqual(['2026-11-01T05:30Z', '2026-11-02T06:30Z']);
    const twice = cronSchedule('15,45 1 * * *', 'America/New_York');
    expect(times(twice, '2026-10-31T12:00:00Z', 3)).toEqual([
      '2026-11-01T05:15Z',
      '2026-11-01T05:45Z',
      '2026-11-02T06:15Z',
    ]);
  });

  test('a time that is left out when clocks are put forward is due when the gap is over, once', () => {
    const halfPastTwo = cronSchedule('30 2 * * *', 'America/New_York');
    expect(times(halfPastTwo, '2026-03-07T12:00:00Z', 2)).toEqual(['2026-03-08T07:00Z', '2026-03-09T06:30Z']);
    const often = cronSchedule('0,20,40 2,3 * * *', 'America/New_York');
    expect(times(often, '2026-03-08T05:00:00Z', 4)).toEqual([
      '2026-03-08T07:00Z',
      '2026-03-08T07:20Z',
      '2026-03-08T07:40Z',
      '2026-03-09T06:00Z',
    ]);
  });

  test('what runs every hour runs in both of the hours that look alike, and not in the one left out', () => {
    const hourly = cronSchedule('30 * * * *', 'America/New_York');
    expect(times(hourly, '2026-11-01T05:00:00Z', 3)).toEqual([
      '2026-11-01T05:30Z',
      '2026-11-01T06:30Z',
      '2026-11-01T07:30Z',
    ]);
    expect(times(hourly, '2026-03-08T06:00:00Z', 2)).toEqual(['2026-03-08T06:30Z', '2026-03-08T07:30Z']);
  });

  test('a day that a whole country skipped is made up for at its end', () => {
    // Samoa crossed the date line: 30 December 2011 did not take place.
    const noon = cronSchedule('0 12 * * *', 'Pacific/Apia');
    expect(times(noon, '2011-12-29T12:00:00Z', 3)).toEqual([
      '2011-12-29T22:00Z',
      '2011-12-30T10:00Z',
      '2011-12-30T22:00Z',
    ]);
  });

  test.each(['61 * * * *', '* * * *', '* * * * * *', 'tomorrow', '@reboot', '0 ? * * *'])(
    '%s is refused',
    (expression) => {
      expect(() => cronSchedule(expression, 'UTC')).toThrow();
    },
  );

  test('a day that never comes is due never', () => {
    expect(cronSchedule('0 0 31 2 *', 'UTC').next(new Date('2026-01-01T00:00:00Z'))).toBeUndefined();
  });
});

test('an interval is counted from its anchor, in elapsed time', () => {
  const schedule = scheduleOf({ type: 'interval', seconds: 5400, anchor: '2026-11-01T05:00:00Z' }, 'America/New_York');
  expect(times(schedule, '2026-10-01T00:00:00Z', 3)).toEqual([
    '2026-11-01T06:30Z',
    '2026-11-01T08:00Z',
    '2026-11-01T09:30Z',
  ]);
  expect(times(schedule, '2026-11-01T08:00:00Z', 1)).toEqual(['2026-11-01T09:30Z']);
});

test('a single time is due once', () => {
  const schedule = scheduleOf({ type: 'once', at: '2026-11-01T05:00:00Z' }, 'UTC');
  expect(times(schedule, '2026-10-01T00:00:00Z', 5)).toEqual(['2026-11-01T05:00Z']);
});

/** What every schedule keeps to. */
test('looking back finds what looking forward announced', () => {
  const minute = fc.integer({ min: 0, max: 59 });
  const hour = fc.oneof(
    fc.constant('*'),
    fc.constant('*/3'),
    fc.constant('1,2'),
    fc.integer({ min: 0, max: 23 }).map(String),
  );
  const cron = fc
    .tuple(fc.oneof(minute.map(String), fc.constant('*/20')), hour, fc.constantFrom('*', '1-5', '0'))
    .map(([m, h, weekday]): KeptSchedule => ({ type: 'cron', expression: `${m} ${h} * * ${weekday}` }));
  const interval = fc
    .integer({ min: 600, max: 100_000 })
    .map((seconds): KeptSchedule => ({ type: 'interval', seconds, anchor: '2026-03-01T00:00:00Z' }));
  const zone = fc.constantFrom('Asia/Shanghai', 'America/New_York', 'Europe/London', 'Australia/Lord_Howe', 'UTC');
  const start = fc.constantFrom(
    '2026-03-07T20:00:00Z',
    '2026-10-31T20:00:00Z',
    '2026-03-28T20:00:00Z',
    '2026-04-04T10:00:00Z',
  );
  fc.assert(
    fc.property(
      fc.oneof(cron, interval),
      zone,
      start,
      fc.integer({ min: 0, max: 40 }),
      (kept, timezone, from, hours) => {
        const schedule = scheduleOf(kept, timezone);
        const after = new Date(from);
        const until = new Date(after.getTime() + hours * 3_600_000);
        const announced: Date[] = [];
        for (let next = schedule.next(after); next && next <= until; next = schedule.next(next)) announced.push(next);
        expect(schedule.between(after, until, 10_000)).toEqual(announced);
        expect(schedule.between(after, until, 3)).toEqual(announced.slice(-3));
        announced.reduce((earlier, later) => {
          expect(later.getTime()).toBeGreaterThan(earlier.getTime());
          return later;
        }, after);
      },
    ),
    { numRuns: 60 },
  );
});
