import type { CalendarEvent } from '@kith/protocol';
import type { CalendarView } from '../routes.ts';

/** Calendar days as plain text (2026-11-17): no instant, no zone, nothing that a clock change could move. */
const DAY_MS = 86_400_000;

const toDate = (day: string) => new Date(`${day}T00:00:00Z`);
const toDay = (date: Date) => date.toISOString().slice(0, 10);

export const addDays = (day: string, count: number): string => toDay(new Date(toDate(day).getTime() + count * DAY_MS));

export function addMonths(day: string, count: number): string {
  const date = toDate(day);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count);
  return toDay(date);
}

/** Weeks begin on Monday. */
export const startOfWeek = (day: string): string => addDays(day, -((toDate(day).getUTCDay() + 6) % 7));

/** The days that a view shows: whole weeks for a month. */
export function daysOf(view: CalendarView, day: string): string[] {
  if (view === 'day') return [day];
  const count = (first: string, length: number) => Array.from({ length }, (_, index) => addDays(first, index));
  if (view === 'week') return count(startOfWeek(day), 7);
  const first = startOfWeek(`${day.slice(0, 7)}-01`);
  const last = addDays(startOfWeek(addDays(addMonths(day, 1), -1)), 6);
  return count(first, (toDate(last).getTime() - toDate(first).getTime()) / DAY_MS + 1);
}

export function step(view: CalendarView, day: string, direction: 1 | -1): string {
  if (view === 'month') return addMonths(day, direction);
  return addDays(day, direction * (view === 'week' ? 7 : 1));
}

/** How a plain day reads; the formatter's zone is UTC, as the day's midnight is. */
export const dayText = (locale: string, options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return (day: string) => format.format(toDate(day));
};

/** Times come in the reader's zone: their text is what the clock on the wall says. */
export const firstDay = (event: CalendarEvent) => event.start.slice(0, 10);
export const timeOf = (instant: string) => instant.slice(11, 16);

/** An event that ends at midnight is not one of the next day. */
function lastDay(event: CalendarEvent): string {
  const day = event.end.slice(0, 10);
  const endsAtMidnight = !event.all_day && timeOf(event.end) === '00:00' && day > firstDay(event);
  return endsAtMidnight ? addDays(day, -1) : day;
}

export function eventsByDay(days: readonly string[], events: readonly CalendarEvent[]): Map<string, CalendarEvent[]> {
  const byTime = (one: CalendarEvent, other: CalendarEvent) =>
    Number(other.all_day) - Number(one.all_day) || one.start.localeCompare(other.start);
  return new Map(
    days.map((day) => [
      day,
      events.filter((event) => firstDay(event) <= day && day <= lastDay(event)).toSorted(byTime),
    ]),
  );
}

const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
const SHORTEST = 30;

export interface Placed {
  event: CalendarEvent;
  /** Minutes of the day. */
  from: number;
  to: number;
  /** Its column among those that overlap, and how many there are. */
  column: number;
  columns: number;
}

/** Events of one day beside each other where they overlap: each takes the first column that is free. */
export function placeEvents(day: string, events: readonly CalendarEvent[]): Placed[] {
  const placed: Placed[] = [];
  let group: Placed[] = [];
  let groupEnd = -1;
  const close = () => {
    const columns = Math.max(0, ...group.map(({ column }) => column + 1));
    for (const each of group) each.columns = columns;
    placed.push(...group);
    group = [];
  };
  for (const event of events.filter(({ all_day }) => !all_day)) {
    const from = firstDay(event) < day ? 0 : minutesOf(timeOf(event.start));
    const end = event.end.slice(0, 10) > day ? 24 * 60 : minutesOf(timeOf(event.end));
    const to = Math.max(end, from + SHORTEST);
    if (from >= groupEnd) close();
    const taken = new Set(group.filter((each) => each.to > from).map(({ column }) => column));
    let column = 0;
    while (taken.has(column)) column += 1;
    group.push({ event, from, to, column, columns: 1 });
    groupEnd = Math.max(groupEnd, to);
  }
  close();
  return placed;
}
