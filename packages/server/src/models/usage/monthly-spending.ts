import { type Pico, parsePico } from '../../billing/index.ts';
import type { Sql } from '../../db/index.ts';
import { figuresBetween } from './figures.ts';
import { ledgerDay } from './ledger-days.ts';

/** What each key has cost in the month of `now`. */
export async function readMonthlySpending(sql: Sql, now: Date): Promise<Map<string, Pico>> {
  const today = ledgerDay(now);
  const rows = await sql<{ key_id: string; cost: string }[]>`
    with ${figuresBetween(sql, `${today.slice(0, 7)}-01`, today)}
    select key_id, sum(cost)::text as cost from figures where key_id <> '' group by key_id`;
  return new Map(rows.map((row) => [row.key_id, parsePico(row.cost)]));
}
