import type { Temporal } from 'temporal-polyfill';
import type { Transaction } from '../../db/index.ts';
import { originalStart } from './agenda.ts';
import { hasOccurrence, type Series } from './recurrence.ts';
import { type EventRow, seriesOf } from './rows.ts';
import { fromColumns, localStart, type Span, toColumns, withLocalStart } from './span.ts';

/** Every statement that changes the calendar. Callers have checked that the user may: the rows come from `findTarget`. */

export interface EventFields {
  title: string;
  location: string | null;
  description: string | null;
}

export async function insertEvent(
  sql: Transaction,
  userId: string,
  fields: EventFields,
  when: { span: Span; timezone: string; recurrence: string | null },
): Promise<string> {
  const { starts_at, ends_at, all_day } = toColumns(when.span, when.timezone);
  const [row] = await sql<{ id: string }[]>`
    insert into calendar_events (user_id, title, location, description, starts_at, ends_at, all_day, timezone, recurrence)
    values (${userId}, ${fields.title}, ${fields.location}, ${fields.description}, ${starts_at}, ${ends_at}, ${all_day},
      ${when.timezone}, ${when.recurrence})
    returning id`;
  if (!row) throw new Error('insert gave no row');
  return row.id;
}

export async function countSeries(sql: Transaction, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from calendar_events where user_id = ${userId} and recurrence is not null`;
  return row?.count ?? 0;
}

/** Writes the row anew: an event, or a series. */
export async function rewriteEvent(
  sql: Transaction,
  row: EventRow,
  fields: EventFields,
  when: { span: Span; recurrence: string | null },
): Promise<void> {
  const { starts_at, ends_at, all_day } = toColumns(when.span, row.timezone);
  await sql`
    update calendar_events set title = ${fields.title}, location = ${fields.location}, description = ${fields.description},
      starts_at = ${starts_at}, ends_at = ${ends_at}, all_day = ${all_day}, recurrence = ${when.recurrence},
      version = version + 1, updated_at = now()
    where id = ${row.id} and user_id = ${row.user_id}`;
}

/** Makes an occurrence differ from its series, or changes how it does. Gives the id of its row. */
export async function writeOverride(
  sql: Transaction,
  base: EventRow,
  original: Span,
  occurrence: { fields: EventFields; span: Span; canceled: boolean },
): Promise<string> {
  const { fields, canceled } = occurrence;
  const { starts_at, ends_at, all_day } = toColumns(occurrence.span, base.timezone);
  const [row] = await sql<{ id: string }[]>`
    insert into calendar_events (user_id, title, location, description, starts_at, ends_at, all_day, timezone,
      series_id, original_start, canceled)
    values (${base.user_id}, ${fields.title}, ${fields.location}, ${fields.description}, ${starts_at}, ${ends_at},
      ${all_day}, ${base.timezone}, ${base.id}, ${originalStart(original, base.timezone)}, ${canceled})
    on conflict (series_id, original_start) do update set title = excluded.title, location = excluded.location,
      description = excluded.description, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      all_day = excluded.all_day, canceled = excluded.canceled, version = calendar_events.version + 1, updated_at = now()
    returning id`;
  if (!row) throw new Error('insert gave no row');
  return row.id;
}

export async function deleteEvent(sql: Transaction, userId: string, id: string): Promise<void> {
  await sql`delete from calendar_events where id = ${id} and user_id = ${userId}`;
}

export async function setRecurrence(sql: Transaction, row: EventRow, recurrence: string): Promise<void> {
  await sql`
    update calendar_events set recurrence = ${recurrence}, version = version + 1, updated_at = now()
    where id = ${row.id} and user_id = ${row.user_id}`;
}

/** The changed occurrences from this one on. */
export async function deleteOverridesFrom(sql: Transaction, base: EventRow, original: Span): Promise<void> {
  await sql`
    delete from calendar_events
    where series_id = ${base.id} and user_id = ${base.user_id}
      and original_start >= ${originalStart(original, base.timezone)}`;
}

/** A second series that begins where the first one will end: with its guests, and its changed occurrences from there on. */
export async function splitSeries(
  sql: Transaction,
  base: EventRow,
  original: Span,
  recurrence: string,
): Promise<EventRow> {
  const id = await insertEvent(sql, base.user_id, base, { span: original, timezone: base.timezone, recurrence });
  await sql`
    insert into calendar_participants (event_id, participant, user_id, contact_id, name, permission, status, reason)
    select ${id}, participant, user_id, contact_id, name, permission, status, reason
    from calendar_participants where event_id = ${base.id}`;
  await sql`
    update calendar_events set series_id = ${id}
    where series_id = ${base.id} and user_id = ${base.user_id}
      and original_start >= ${originalStart(original, base.timezone)}`;
  return { ...base, id, recurrence, ...toColumns(original, base.timezone) };
}

/**
 * Changed occurrences follow their series: with its new words, and to where it moved. Those whose place in the series is
 * gone go with it.
 */
export async function carryOverrides(
  sql: Transaction,
  base: EventRow,
  change: {
    fields: Partial<EventFields>;
    series: Series | undefined;
    by: Temporal.Duration | undefined;
    /** The occurrence that the user moved: it goes where they said. */
    moved: Span | undefined;
  },
): Promise<void> {
  const { fields, series, by, moved } = change;
  const freed = moved && originalStart(moved, base.timezone).getTime();
  const overrides = await sql<{ id: string; original_start: Date }[]>`
    select id, original_start from calendar_events where series_id = ${base.id} and user_id = ${base.user_id}
    order by original_start ${by && by.sign > 0 ? sql`desc` : sql`asc`}`;
  const old = seriesOf(base);
  for (const { id, original_start } of overrides) {
    const original = series && old ? movedOriginal(old, series, original_start, by) : undefined;
    if (!series || !original || original_start.getTime() === freed || !hasOccurrence(series, original.start)) {
      await sql`delete from calendar_events where id = ${id} and user_id = ${base.user_id}`;
      continue;
    }
    await sql`
      update calendar_events set ${sql({ ...fields, original_start: originalStart(original, base.timezone) })},
        updated_at = now()
      where id = ${id} and user_id = ${base.user_id}`;
  }
}

function movedOriginal(old: Series, series: Series, start: Date, by: Temporal.Duration | undefined): Span {
  const { timezone } = old;
  const original = fromColumns({ starts_at: start, ends_at: start, all_day: old.span.allDay, timezone });
  const local = localStart(original, timezone);
  return withLocalStart(series.span, by ? local.add(by) : local, timezone);
}
