import type { CalendarEvent } from '@kith/protocol';
import { describe, expect, test } from 'vitest';
import { addMonths, daysOf, eventsByDay, placeEvents, step } from './days.ts';

const event = (title: string, start: string, end: string): CalendarEvent => ({
  event_id: title,
  title,
  start: `${start}:00+08:00`,
  end: `${end}:00+08:00`,
  all_day: false,
});

describe('the days of a view', () => {
  test('a month is shown in whole weeks from Monday on', () => {
    const days = daysOf('month', '2026-11-17');
    expect([days[0], days.at(-1), days.length]).toEqual(['2026-10-26', '2026-12-06', 42]);
    expect(daysOf('month', '2027-02-01')).toHaveLength(28);
    expect(daysOf('week', '2026-11-22')).toEqual(expect.arrayContaining(['2026-11-16', '2026-11-22']));
  });

  test('the month after the 31st is the next one, not the one after', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-01');
    expect(step('month', '2026-12-31', 1)).toBe('2027-01-01');
    expect(step('week', '2026-03-01', -1)).toBe('2026-02-22');
  });
});

test('an event that ends at midnight is not one of the next day; one over several days is on each', () => {
  const days = ['2026-11-16', '2026-11-17', '2026-11-18'];
  const late = event('late', '2026-11-16T22:00', '2026-11-17T00:00');
  const long = event('long', '2026-11-16T09:00', '2026-11-18T10:00');
  const shown = eventsByDay(days, [late, long]);
  expect(days.map((day) => shown.get(day)?.map(({ title }) => title))).toEqual([['long', 'late'], ['long'], ['long']]);
});

test('events that overlap stand side by side, and one after them has the whole width again', () => {
  const placed = placeEvents('2026-11-16', [
    event('a', '2026-11-16T09:00', '2026-11-16T11:00'),
    event('b', '2026-11-16T10:00', '2026-11-16T12:00'),
    event('c', '2026-11-16T11:00', '2026-11-16T12:00'),
    event('d', '2026-11-16T12:00', '2026-11-16T12:05'),
  ]);
  expect(placed.map(({ event: { title }, column, columns }) => [title, column, columns])).toEqual([
    ['a', 0, 2],
    ['b', 1, 2],
    ['c', 0, 2],
    ['d', 0, 1],
  ]);
  expect(placed.at(-1)).toMatchObject({ from: 720, to: 750 });
});
