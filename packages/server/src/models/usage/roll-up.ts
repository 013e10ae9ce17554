import type { Sql } from '../../db/index.ts';
import { callFigures } from './figures.ts';
import { daysAfter, ledgerDay, startOfDay } from './ledger-days.ts';

/** The same number as in the migration: late bookings take this lock in its shared form. */
const LOCK = 7_070_002;
/** A day is summed up this long after its end at the earliest: by then every transaction of that day is over. */
const GRACE_MS = 3_600_000;
/** So that whoever asks for a year of charts does not wait for a year of sums. */
const DAYS_AT_ONCE = 31;

/** Sums up the days that are over and not yet (or no longer) summed up, oldest first. Gives back how many it did. */
export async function rollUpDays(sql: Sql, now: Date): Promise<number> {
  const last = daysAfter(ledgerDay(new Date(now.getTime() - GRACE_MS)), -1);
  const days = await sql<{ day: string }[]>`
    select moment::date::text as day
    from (select min(started_at) at time zone 'Asia/Shanghai' as first from model_calls) as ledger,
      generate_series(date_trunc('day', first), ${last}::timestamp, interval '1 day') as moment
    where not exists (select from usage_days where day = moment::date)
      and exists (select from model_calls where started_at >= moment at time zone 'Asia/Shanghai'
        and started_at < (moment + interval '1 day') at time zone 'Asia/Shanghai')
    order by day limit ${DAYS_AT_ONCE}`;
  for (const { day } of days) await rollUpDay(sql, day);
  return days.length;
}

async function rollUpDay(sql: Sql, day: string): Promise<void> {
  const begins = startOfDay(day);
  const ends = new Date(begins.getTime() + 86_400_000);
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${LOCK})`;
    await transaction`delete from usage_daily where day = ${day}`;
    await transaction`
      insert into usage_daily (day, user_id, session_id, model_id, vendor_id, key_id, model_calls, unpriced_calls,
        input_tokens, output_tokens, cached_tokens, reasoning_tokens, cost)
      select ${day}::date, user_id, session_id, model_id, vendor_id, key_id, sum(model_calls), sum(unpriced_calls),
        sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(reasoning_tokens), sum(cost)
      from (select ${callFigures(sql)} from model_calls calls
        where calls.started_at >= ${begins} and calls.started_at < ${ends} and calls.status <> 'started') as figures
      group by user_id, session_id, model_id, vendor_id, key_id`;
    await transaction`insert into usage_days (day) values (${day}) on conflict (day) do update set rolled_at = now()`;
  });
}
