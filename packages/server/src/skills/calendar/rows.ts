import type { InviteStatus, SharePermission } from '@kith/protocol';
import type { Transaction } from '../../db/index.ts';
import type { Series } from './recurrence.ts';
import { fromColumns } from './span.ts';

/** The tables of the calendar, and every statement on them that reads. All are about one user's own and invited events. */

export interface EventRow {
  id: string;
  user_id: string;
  title: string;
  starts_at: Date;
  ends_at: Date;
  all_day: boolean;
  timezone: string;
  location: string | null;
  description: string | null;
  recurrence: string | null;
  series_id: string | null;
  original_start: Date | null;
  canceled: boolean;
  /** Of an occurrence: whether its series is of whole days, whatever became of the occurrence. */
  series_all_day: boolean | null;
}

/** An event as one user sees it: `my_*` and `organizer` are null on their own. */
export interface SeenRow extends EventRow {
  my_status: InviteStatus | null;
  my_permission: SharePermission | null;
  organizer: string | null;
}

export interface ParticipantRow {
  event_id: string;
  participant: string;
  name: string;
  status: InviteStatus;
  permission: SharePermission;
  reason: string | null;
}

/** The most that one reading loads, series first: enough for anybody. */
const MOST_ROWS = 2000;

const columns = (sql: Transaction) => sql`
  e.id, e.user_id, e.title, e.starts_at, e.ends_at, e.all_day, e.timezone, e.location, e.description, e.recurrence,
  e.series_id, e.original_start, e.canceled,
  (select s.all_day from calendar_events s where s.id = e.series_id) as series_all_day`;

type Condition = ReturnType<typeof columns>;

/** A user's own events, and those of others that they were invited to and did not reject. Series stand for their occurrences. */
async function seenRows(sql: Transaction, userId: string, condition: Condition): Promise<SeenRow[]> {
  return sql<SeenRow[]>`
    select * from (
      select ${columns(sql)}, null::text as my_status, null::text as my_permission, null::text as organizer
      from calendar_events e
      where e.user_id = ${userId} and e.series_id is null and ${condition}
      union all
      select ${columns(sql)}, p.status, p.permission, coalesce(o.display_name, e.user_id)
      from calendar_participants p
      join calendar_events e on e.id = p.event_id
      left join profiles o on o.user_id = e.user_id
      where p.user_id = ${userId} and p.status <> 'rejected' and not e.canceled and ${condition}
    ) seen
    order by (recurrence is null), starts_at
    limit ${MOST_ROWS}`;
}

/** What may take place between the two instants. */
export const rowsBetween = (sql: Transaction, userId: string, from: Date, to: Date): Promise<SeenRow[]> =>
  seenRows(sql, userId, sql`e.starts_at < ${to} and (e.recurrence is not null or e.ends_at >= ${from})`);

/** Has every one of the (lower-case) words in its title, place, description or participants' names. */
const hasWords = (sql: Transaction, words: readonly string[]) => sql`
  not exists (
    select 1 from unnest(${[...words]}::text[]) word
    where strpos(lower(concat_ws(' ', e.title, e.location, e.description)), word) = 0
      and not exists (
        select 1 from calendar_participants g where g.event_id = e.id and strpos(lower(g.name), word) > 0
      )
  )`;

export const rowsWithWords = (
  sql: Transaction,
  userId: string,
  words: readonly string[],
  from: Date,
  to: Date,
): Promise<SeenRow[]> =>
  seenRows(
    sql,
    userId,
    sql`e.starts_at < ${to} and (e.recurrence is not null or e.ends_at >= ${from}) and ${hasWords(sql, words)}`,
  );

/** Occurrences with words of their own, of series whose other occurrences do not have them. */
export async function overridesWithWords(
  sql: Transaction,
  userId: string,
  words: readonly string[],
  from: Date,
  to: Date,
): Promise<SeenRow[]> {
  return sql<SeenRow[]>`
    select ${columns(sql)}, p.status as my_status, p.permission as my_permission,
      case when e.user_id = ${userId} then null else coalesce(o.display_name, e.user_id) end as organizer
    from calendar_events e
    left join calendar_participants p on p.event_id = e.series_id and p.user_id = ${userId} and p.status <> 'rejected'
    left join profiles o on o.user_id = e.user_id
    where e.series_id is not null and not e.canceled and (e.user_id = ${userId} or p.user_id = ${userId})
      and e.starts_at < ${to} and e.ends_at >= ${from} and ${hasWords(sql, words)}
    order by e.starts_at
    limit ${MOST_ROWS}`;
}

/** The occurrences of these series that differ from their rule, as far as they concern the time between the two instants. */
export async function overridesOf(
  sql: Transaction,
  seriesIds: readonly string[],
  from: Date,
  to: Date,
): Promise<EventRow[]> {
  if (seriesIds.length === 0) return [];
  return sql<EventRow[]>`
    select ${columns(sql)} from calendar_events e
    where e.series_id = any(${[...seriesIds]}::uuid[])
      and ((e.original_start >= ${from} and e.original_start < ${to}) or (e.starts_at < ${to} and e.ends_at >= ${from}))`;
}

export async function participantsOf(sql: Transaction, eventIds: readonly string[]): Promise<ParticipantRow[]> {
  if (eventIds.length === 0) return [];
  return sql<ParticipantRow[]>`
    select event_id, participant, name, status, permission, reason from calendar_participants
    where event_id = any(${[...eventIds]}::uuid[]) order by name, participant`;
}

export function seriesOf(row: EventRow): Series | undefined {
  return row.recurrence ? { span: fromColumns(row), recurrence: row.recurrence, timezone: row.timezone } : undefined;
}

/** The event or series of this id, if the user owns it or was invited to it or to one occurrence of it. Locked when it will change. */
export async function findBase(
  sql: Transaction,
  userId: string,
  id: string,
  lock: boolean,
): Promise<(EventRow & { organizer: string }) | undefined> {
  const [row] = await sql<(EventRow & { organizer: string })[]>`
    select ${columns(sql)},
      coalesce((select o.display_name from profiles o where o.user_id = e.user_id), e.user_id) as organizer
    from calendar_events e
    where e.id = ${id} and e.series_id is null
      and (e.user_id = ${userId} or exists (
        select 1 from calendar_participants p join calendar_events i on i.id = p.event_id
        where p.user_id = ${userId} and (i.id = e.id or i.series_id = e.id)
      ))
    ${lock ? sql`for update of e` : sql``}`;
  return row;
}

export async function findOverride(
  sql: Transaction,
  seriesId: string,
  originalStart: Date,
): Promise<EventRow | undefined> {
  const [row] = await sql<EventRow[]>`
    select ${columns(sql)} from calendar_events e
    where e.series_id = ${seriesId} and e.original_start = ${originalStart}`;
  return row;
}

export interface Invitation {
  event_id: string;
  status: InviteStatus;
  permission: SharePermission;
}

export async function invitationsOf(
  sql: Transaction,
  userId: string,
  eventIds: readonly string[],
): Promise<Invitation[]> {
  return sql<Invitation[]>`
    select event_id, status, permission from calendar_participants
    where user_id = ${userId} and event_id = any(${[...eventIds]}::uuid[])`;
}
