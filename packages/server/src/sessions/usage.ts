import type { UsageTotals } from '@kith/protocol';
import type { Sql } from '../db/index.ts';

/** Tokens and money of a session, or of one of its runs, summed by the database from the calls themselves. */
export async function sessionUsage(sql: Sql, sessionId: string, runId?: string): Promise<UsageTotals> {
  const [row] = await sql<
    {
      input: number;
      output: number;
      cached: number;
      reasoning: number;
      calls: number;
      unpriced: number;
      cost: string;
    }[]
  >`
    select coalesce(sum(input_tokens), 0) as input, coalesce(sum(output_tokens), 0) as output,
      coalesce(sum(cached_tokens), 0) as cached, coalesce(sum(reasoning_tokens), 0) as reasoning,
      count(*) filter (where status <> 'started') as calls,
      count(*) filter (where cost is null and status <> 'started') as unpriced,
      trim_scale(coalesce(sum(cost), 0))::text as cost
    from model_calls where session_id = ${sessionId} ${runId === undefined ? sql`` : sql`and run_id = ${runId}`}`;
  return {
    input_tokens: row?.input ?? 0,
    output_tokens: row?.output ?? 0,
    total_tokens: (row?.input ?? 0) + (row?.output ?? 0),
    cached_tokens: row?.cached ?? 0,
    reasoning_tokens: row?.reasoning ?? 0,
    model_calls: row?.calls ?? 0,
    unpriced_calls: row?.unpriced ?? 0,
    cost: row?.cost ?? '0',
    currency: 'CNY',
  };
}
