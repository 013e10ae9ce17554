import type { UsageGroup, UsageGrouping, UsageQuery, UsageReport, UsageTotals } from '@kith/protocol';
import { formatPico, parsePico } from '../../billing/index.ts';
import type { Sql } from '../../db/index.ts';
import { errors } from '../../errors/index.ts';
import { figuresBetween } from './figures.ts';
import { daysAfter, LEDGER_TIME_ZONE, ledgerDay } from './ledger-days.ts';
import { rollUpDays } from './roll-up.ts';

const DEFAULT_DAYS = 30;
const LONGEST_DAYS = 366;

const columns = {
  day: 'day',
  user: 'user_id',
  session: 'session_id',
  model: 'model_id',
  vendor: 'vendor_id',
  key: 'key_id',
} as const satisfies Record<UsageGrouping, string>;

/** Tokens and money by day, user, session, model, vendor or key. `userId` given: of this user alone. */
export async function usageReport(
  sql: Sql,
  query: Pick<UsageQuery, 'group_by' | 'from' | 'to'>,
  userId: string | undefined,
  now: Date,
): Promise<UsageReport> {
  const { group_by: groupBy } = query;
  const to = query.to ?? ledgerDay(now);
  const from = query.from ?? daysAfter(to, 1 - DEFAULT_DAYS);
  refuseRange(from, to);
  await rollUpDays(sql, now);
  const rows = await readGroups(sql, groupBy, from, to, userId);
  const groups = groupBy === 'day' ? everyDay(rows, from, to) : rows;
  return { group_by: groupBy, from, to, timezone: LEDGER_TIME_ZONE, groups, total: totalOf(groups) };
}

function refuseRange(from: string, to: string): void {
  const message =
    from > to ? 'is after `to`' : daysAfter(from, LONGEST_DAYS) <= to ? 'is more than a year before `to`' : '';
  if (message) throw errors.REQUEST_INVALID({ fields: [{ field: 'from', message }] });
}

interface Row {
  group: string;
  label: string | null;
  model_calls: number;
  unpriced_calls: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  reasoning_tokens: number;
  cost: string;
}

async function readGroups(sql: Sql, groupBy: UsageGrouping, from: string, to: string, userId: string | undefined) {
  const column = sql(columns[groupBy]);
  const rows = await sql<Row[]>`
    with ${figuresBetween(sql, from, to)},
    grouped as (
      select ${column}::text as "group", sum(model_calls)::bigint as model_calls, sum(unpriced_calls)::bigint as unpriced_calls,
        sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens,
        sum(cached_tokens)::bigint as cached_tokens, sum(reasoning_tokens)::bigint as reasoning_tokens, sum(cost) as cost
      from figures ${userId === undefined ? sql`` : sql`where user_id = ${userId}`}
      group by ${column}
    )
    select grouped.*, grouped.cost::text as cost, ${labelOf(sql, groupBy)} as label from grouped
    order by ${groupBy === 'day' ? sql`"group"` : sql`grouped.cost desc, "group"`}`;
  return rows.map(groupOf);
}

function labelOf(sql: Sql, groupBy: UsageGrouping) {
  if (groupBy === 'key') {
    return sql`(select vendor_id || ' / ' || label from vendor_keys where id::text = grouped."group")`;
  }
  if (groupBy === 'session') return sql`(select title from sessions where id::text = grouped."group")`;
  return sql`null`;
}

function groupOf({ group, label, cost, ...counts }: Row): UsageGroup {
  return {
    group,
    label,
    ...counts,
    total_tokens: counts.input_tokens + counts.output_tokens,
    cost: formatPico(parsePico(cost)),
    currency: 'CNY',
  };
}

/** A chart has a place for every day, also for those without a call. */
function everyDay(groups: readonly UsageGroup[], from: string, to: string): UsageGroup[] {
  const byDay = new Map(groups.map((group) => [group.group, group]));
  const days: UsageGroup[] = [];
  for (let day = from; day <= to; day = daysAfter(day, 1)) {
    days.push(byDay.get(day) ?? { group: day, label: null, ...totalOf([]) });
  }
  return days;
}

function totalOf(groups: readonly UsageTotals[]): UsageTotals {
  const sum = (count: (totals: UsageTotals) => number) => groups.reduce((total, each) => total + count(each), 0);
  return {
    input_tokens: sum((each) => each.input_tokens),
    output_tokens: sum((each) => each.output_tokens),
    total_tokens: sum((each) => each.total_tokens),
    cached_tokens: sum((each) => each.cached_tokens),
    reasoning_tokens: sum((each) => each.reasoning_tokens),
    model_calls: sum((each) => each.model_calls),
    unpriced_calls: sum((each) => each.unpriced_calls),
    cost: formatPico(groups.reduce((total, each) => total + parsePico(each.cost), 0n)),
    currency: 'CNY',
  };
}
