import { Temporal } from 'temporal-polyfill';
import type { Transaction } from '../../db/index.ts';
import { writeEventId } from './event-id.ts';
import { expansionOf } from './recurrence.ts';
import { type EventRow, overridesOf, rowsBetween, type SeenRow, seriesOf } from './rows.ts';
import { boundsIn, fromColumns, fromDate, type Span, toDate, touches } from './span.ts';

/** Something that takes place: an event, or one occurrence of a series. */
export interface Entry {
  eventId: string;
  seriesId?: string;
  row: SeenRow;
  span: Span;
}

export interface Window {
  from: Temporal.Instant;
  to: Temporal.Instant;
}

const { compare } = Temporal.Instant;
/** Whole days are compared in the reader's zone and kept in the event's: the two may lie a day apart. */
const MARGIN = { hours: 48 };
/** Series are unrolled week by week, only as far as the answer needs. */
const STRIDE = { hours: 24 * 7 };
/** With others' invitations; one's own are limited when they are made. */
const MOST_SERIES = 400;

/** A user's entries that touch the window, by start. `limit` bounds both the answer and the work. */
export async function agenda(
  sql: Transaction,
  userId: string,
  zone: string,
  window: Window,
  limit: number,
): Promise<{ entries: Entry[]; truncated: boolean }> {
  const { from, to } = widened(window);
  const entries = await entriesOf(sql, await rowsBetween(sql, userId, toDate(from), toDate(to)), zone, window, limit);
  return { entries: entries.slice(0, limit), truncated: entries.length > limit };
}

const widened = ({ from, to }: Window): Window => ({ from: from.subtract(MARGIN), to: to.add(MARGIN) });

/** What these rows come to within the window, by start: all of it, or at least the first `limit + 1`. */
export async function entriesOf(
  sql: Transaction,
  rows: readonly SeenRow[],
  zone: string,
  window: Window,
  limit: number,
): Promise<Entry[]> {
  const found = new Map<string, Entry>();
  const keep = (entry: Entry) => {
    if (touches(entry.span, window, zone)) found.set(entry.eventId, entry);
  };
  for (const row of rows) if (!row.recurrence) keep(entryOf(row));
  const startOf = (entry: Entry) => boundsIn(entry.span, zone).from;
  const isEnough = (unrolledTo: Temporal.Instant) => {
    const settled = unrolledTo.subtract(MARGIN);
    return [...found.values()].filter((entry) => compare(startOf(entry), settled) < 0).length > limit;
  };
  await unrollInto(keep, isEnough, sql, rows.filter((row) => row.recurrence).slice(0, MOST_SERIES), window);
  return [...found.values()].sort((a, b) => compare(startOf(a), startOf(b)) || (a.eventId < b.eventId ? -1 : 1));
}

async function unrollInto(
  keep: (entry: Entry) => void,
  isEnough: (unrolledTo: Temporal.Instant) => boolean,
  sql: Transaction,
  series: readonly SeenRow[],
  window: Window,
): Promise<void> {
  const { from, to } = widened(window);
  // What runs into the window may have begun long before it.
  const beginnings = series.map((row) => from.subtract(lengthOf(row)));
  const earliest = beginnings.reduce((a, b) => (compare(a, b) < 0 ? a : b), from);
  const overrides = Map.groupBy(
    await overridesOf(
      sql,
      series.map((row) => row.id),
      toDate(earliest),
      toDate(to),
    ),
    (override) => override.series_id,
  );
  const unrolled = series.map((row) => unroll(row, overrides.get(row.id) ?? []));
  for (const [index, { changed, regular }] of unrolled.entries()) {
    changed.forEach(keep);
    regular(beginnings[index] ?? from, from).forEach(keep);
  }
  for (let week = from; compare(week, to) < 0 && !isEnough(week); week = week.add(STRIDE)) {
    const end = compare(week.add(STRIDE), to) < 0 ? week.add(STRIDE) : to;
    for (const { regular } of unrolled) regular(week, end).forEach(keep);
  }
}

function lengthOf(row: SeenRow): Temporal.Duration {
  const { from, to } = boundsIn(fromColumns(row), 'UTC');
  return from.until(to);
}

/** A series as entries: the occurrences that were changed, and for any stretch those that follow the rule. */
function unroll(row: SeenRow, overrides: readonly EventRow[]) {
  const series = seriesOf(row);
  const expand = series ? expansionOf(series) : () => [];
  const replaced = new Set(overrides.map((override) => override.original_start?.getTime()));
  return {
    changed: overrides.filter((override) => !override.canceled).map((override) => entryOf({ ...row, ...override })),
    regular: (from: Temporal.Instant, to: Temporal.Instant): Entry[] =>
      expand(from, to)
        .filter((span) => !replaced.has(originalStart(span, row.timezone).getTime()))
        .map((span) => ({ ...occurrenceOf(row.id, span.start), row, span })),
  };
}

/** The key of an occurrence in its series: its start as the rule gives it. */
export const originalStart = (span: Span, timezone: string): Date => toDate(boundsIn(span, timezone).from);

const occurrenceOf = (seriesId: string, start: Span['start']) => ({
  eventId: writeEventId({ id: seriesId, occurrence: start }),
  seriesId,
});

/** A row that takes place once: an event, or an occurrence that differs from its series. */
export function entryOf(row: SeenRow): Entry {
  const span = fromColumns(row);
  if (!row.series_id || !row.original_start) return { eventId: row.id, row, span };
  const instant = fromDate(row.original_start);
  const start = row.series_all_day ? instant.toZonedDateTimeISO(row.timezone).toPlainDate() : instant;
  return { ...occurrenceOf(row.series_id, start), row, span };
}
