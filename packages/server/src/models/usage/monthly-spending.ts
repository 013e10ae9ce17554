import { type Pico, parsePico } from '../../billing/index.ts';
import type { Sql } from '../../db/index.ts';
import { ledgerDay, startOfDay } from './ledger-days.ts';

/** What each key has cost in the month of `now`: summed-up days and the calls of the days that are still open. */
export async function readMonthlySpending(sql: Sql, now: Date): Promise<Map<string, Pico>> {
  const first = `${ledgerDay(now).slice(0, 7)}-01`;
  const rows = await sql<{ key_id: string; cost: string }[]>`
    select key_id, sum(cost)::text as cost from (
      select key_id, cost from usage_daily join usage_days using (day) where day >= ${first} and key_id <> ''
      union all
      select key_id::text, cost from model_calls
      where started_at >= ${startOfDay(first)} and key_id is not null and cost is not null
        and not exists (select from usage_days where day = (started_at at time zone 'Asia/Shanghai')::date)
    ) booked group by key_id`;
  return new Map(rows.map((row) => [row.key_id, parsePico(row.cost)]));
}
