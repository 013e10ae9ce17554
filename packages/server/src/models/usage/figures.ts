import type { Sql } from '../../db/index.ts';

/**
 * The ledger's figures from one day to another, both included, as a common table `figures`: the sums of days that are
 * whole, and the calls themselves of the days that are still open. One statement sees one moment, so nothing is counted
 * twice while a day is being summed up.
 */
export function figuresBetween(sql: Sql, from: string, to: string) {
  return sql`
    open_days as (
      select moment::date as day, moment at time zone 'Asia/Shanghai' as begins
      from generate_series(${from}::timestamp, ${to}::timestamp, interval '1 day') as moment
      where not exists (select from usage_days where usage_days.day = moment::date)
    ),
    figures as (
      select day, user_id, session_id, model_id, vendor_id, key_id, model_calls, unpriced_calls,
        input_tokens, output_tokens, cached_tokens, reasoning_tokens, cost
      from usage_daily join usage_days using (day) where day between ${from} and ${to}
      union all
      select open_days.day, ${callFigures(sql)}
      from open_days join model_calls calls
        on calls.started_at >= open_days.begins and calls.started_at < open_days.begins + interval '1 day'
      where calls.status <> 'started'
    )`;
}

/** One call as figures; what is unknown adds nothing, and is counted. */
export function callFigures(sql: Sql) {
  return sql`
    coalesce(calls.user_id, '') as user_id, coalesce(calls.session_id::text, '') as session_id,
    coalesce(calls.model_id, '') as model_id, coalesce(calls.vendor_id, '') as vendor_id,
    coalesce(calls.key_id::text, '') as key_id, 1 as model_calls, (calls.cost is null)::int as unpriced_calls,
    coalesce(calls.input_tokens, 0)::bigint as input_tokens, coalesce(calls.output_tokens, 0)::bigint as output_tokens,
    coalesce(calls.cached_tokens, 0)::bigint as cached_tokens,
    coalesce(calls.reasoning_tokens, 0)::bigint as reasoning_tokens, coalesce(calls.cost, 0) as cost`;
}
