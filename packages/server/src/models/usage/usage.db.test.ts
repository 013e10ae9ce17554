import { randomUUID } from 'node:crypto';
import type { UsageGrouping } from '@kith/protocol';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { formatPico, parsePico } from '../../billing/index.ts';
import { bookModelCalls, type ModelCallRow } from '../index.ts';
import { reconcile } from './reconcile.ts';
import { usageReport } from './report.ts';
import { rollUpDays } from './roll-up.ts';

const database = await testDatabase();
const { sql } = database;
const noon = new Date('2026-11-16T12:00:00+08:00');

beforeEach(async () => {
  await sql`truncate model_calls, usage_daily, usage_days, sessions cascade`;
});

function row(more: Partial<ModelCallRow> = {}): ModelCallRow {
  return {
    id: randomUUID(),
    user_id: 'zhangsan',
    session_id: null,
    run_id: null,
    message_id: null,
    agent_type: 'TASK_EXECUTION',
    vendor_id: 'deepseek',
    endpoint_id: null,
    key_id: null,
    model_id: 'deepseek/deepseek-flash',
    status: 'succeeded',
    raw_usage: null,
    usage_summary: null,
    input_tokens: 10,
    output_tokens: 5,
    cached_tokens: 2,
    reasoning_tokens: 1,
    cost: '0.001',
    currency: 'CNY',
    cost_source: 'catalog_fallback',
    price_card: null,
    latency_ms: 5,
    attempts: 1,
    error: null,
    started_at: '2026-11-16T10:00:00+08:00',
    finished_at: '2026-11-16T10:00:01+08:00',
    ...more,
  };
}

const report = (groupBy: UsageGrouping, from = '2026-11-10', to = '2026-11-16', userId?: string) =>
  usageReport(sql, { group_by: groupBy, from, to }, userId, noon);

async function session(): Promise<string> {
  const [made] = await sql<{ id: string }[]>`
    insert into sessions (user_id, thread_id) values ('zhangsan', ${randomUUID()}) returning id`;
  return made?.id ?? '';
}

describe('usage', () => {
  test('is counted by the days of Beijing, with a place for every day', async () => {
    await bookModelCalls(sql, [
      row({ started_at: '2026-11-15T23:59:59.999+08:00', cost: '0.000000000001' }),
      row({ started_at: '2026-11-16T00:00:00+08:00', cost: '0.25' }),
      row({ started_at: '2026-11-16T11:00:00+08:00', cost: null, cost_source: 'unpriced' }),
    ]);
    const { groups, total, timezone } = await report('day', '2026-11-14');
    expect(timezone).toBe('Asia/Shanghai');
    expect(
      groups.map(({ group, cost, model_calls, unpriced_calls }) => [group, cost, model_calls, unpriced_calls]),
    ).toEqual([
      ['2026-11-14', '0', 0, 0],
      ['2026-11-15', '0.000000000001', 1, 0],
      ['2026-11-16', '0.25', 2, 1],
    ]);
    expect(total).toMatchObject({
      cost: '0.250000000001',
      model_calls: 3,
      input_tokens: 30,
      total_tokens: 45,
      unpriced_calls: 1,
    });
  });

  test('by any grouping is what the ledger holds, before and after days are summed up, late bookings included', async () => {
    const sessions = [await session(), await session()];
    const call = fc.record({
      user_id: fc.constantFrom('a', 'b', null),
      model_id: fc.constantFrom('v/m', 'w/n'),
      vendor_id: fc.constantFrom('v', 'w', null),
      session_id: fc.constantFrom(...sessions, null),
      status: fc.constantFrom('succeeded' as const, 'failed' as const, 'lost' as const, 'started' as const),
      input_tokens: fc.option(fc.nat({ max: 1000 })),
      cost: fc.option(fc.bigInt({ min: 0n, max: 10n ** 15n }).map(formatPico)),
      at: fc.integer({ min: Date.parse('2026-11-10T00:00:00+08:00'), max: noon.getTime() }),
    });
    const rows = (calls: readonly (typeof call extends fc.Arbitrary<infer Call> ? Call : never)[]) =>
      calls.map(({ at, ...rest }) => row({ ...rest, started_at: new Date(at).toISOString() }));
    const groupings = ['day', 'user', 'session', 'model', 'vendor', 'key'] as const;

    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), fc.array(call, { maxLength: 6 }), async (early, late) => {
        await sql`truncate model_calls, usage_daily, usage_days`;
        await bookModelCalls(sql, rows(early));
        await rollUpDays(sql, noon);
        const lateRows = rows(late);
        await bookModelCalls(sql, lateRows);
        // One that was under way when its day was summed up comes to its end.
        await sql`update model_calls set status = 'succeeded', cost = 7 where status = 'started'`;
        const [ledger] = await sql`
          select count(*)::int as calls, coalesce(sum(input_tokens), 0)::int as input, coalesce(sum(cost), 0)::text as cost,
            count(*) filter (where cost is null)::int as unpriced from model_calls`;
        for (const grouping of groupings) {
          const { total } = await report(grouping);
          expect([total.model_calls, total.input_tokens, total.unpriced_calls]).toEqual([
            ledger?.calls,
            ledger?.input,
            ledger?.unpriced,
          ]);
          expect(parsePico(total.cost)).toBe(parsePico(ledger?.cost));
        }
      }),
      { numRuns: 25 },
    );
  });

  test("of a user is the user's alone", async () => {
    await bookModelCalls(sql, [row({ user_id: 'a', cost: '1' }), row({ user_id: 'b', cost: '2' })]);
    expect(await report('model', undefined, undefined, 'a')).toMatchObject({ total: { cost: '1', model_calls: 1 } });
    expect((await report('user')).groups.map(({ group }) => group)).toEqual(['b', 'a']);
  });

  test('of a deleted session goes on without it', async () => {
    const gone = await session();
    await bookModelCalls(sql, [row({ session_id: gone, started_at: '2026-11-12T10:00:00+08:00' })]);
    await rollUpDays(sql, noon);
    await sql`delete from sessions where id = ${gone}`;
    expect((await report('session')).groups).toMatchObject([{ group: '', cost: '0.001' }]);
  });

  test('days that are over are read from their sums', async () => {
    await bookModelCalls(sql, [row({ started_at: '2026-11-12T10:00:00+08:00' }), row()]);
    await report('day');
    expect(await sql`select day::text from usage_days`).toEqual([{ day: '2026-11-12' }]);
    await sql`update usage_daily set cost = 42`;
    expect((await report('day')).total.cost).toBe('42.001');
  });

  test('a day is not summed up before its last transactions are over', async () => {
    await bookModelCalls(sql, [row({ started_at: '2026-11-15T23:00:00+08:00' })]);
    expect(await rollUpDays(sql, new Date('2026-11-16T00:59:00+08:00'))).toBe(0);
    expect(await rollUpDays(sql, new Date('2026-11-16T01:01:00+08:00'))).toBe(1);
    expect(await rollUpDays(sql, new Date('2026-11-16T01:01:00+08:00'))).toBe(0);
  });

  test('a range that makes no sense is refused', async () => {
    await expect(report('day', '2026-11-16', '2026-11-15')).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
    await expect(report('day', '2020-01-01')).rejects.toMatchObject({ code: 'REQUEST_INVALID' });
  });
});

describe('reconciling', () => {
  const message = (sessionId: string, seq: number, cost: string | null, input: number, output: number) => sql`
    insert into messages (session_id, turn, seq, role, content, metadata, visibility_mask, input_tokens, output_tokens, cost, currency)
    values (${sessionId}, 1, ${seq}, 'assistant', 'x', '{"type":"assistant_output","stage":"router"}', 3, ${input}, ${output}, ${cost}, 'CNY')`;

  test('finds nothing where messages and calls agree, to the last digit', async () => {
    const id = await session();
    await message(id, 1, '0.001000000001', 10, 5);
    await message(id, -1, '0.002', 20, 10);
    await bookModelCalls(sql, [
      row({ session_id: id, cost: '0.001000000001' }),
      row({ session_id: id, cost: '0.002', input_tokens: 20, output_tokens: 10 }),
      row({ session_id: id, cost: null, input_tokens: null, output_tokens: null, status: 'lost' }),
    ]);
    expect(await reconcile(sql)).toEqual({ sessions: 1, differences: [] });
  });

  test('names the session and the figures that differ', async () => {
    const id = await session();
    await message(id, 1, '0.001', 10, 5);
    await bookModelCalls(sql, [row({ session_id: id, cost: '0.001000000001' })]);
    expect(await reconcile(sql)).toMatchObject({
      differences: [{ session_id: id, field: 'cost', messages: '0.001', model_calls: '0.001000000001' }],
    });
  });

  test('waits for calls of a run under way that are in no message yet', async () => {
    const id = await session();
    await sql`insert into runs (session_id, user_id, run_id, status, turn, input) values (${id}, 'zhangsan', 'r1', 'running', 1, '{}')`;
    await bookModelCalls(sql, [row({ session_id: id, run_id: 'r1' })]);
    expect((await reconcile(sql)).differences).toEqual([]);
    await sql`update runs set status = 'completed'`;
    expect((await reconcile(sql)).differences).toHaveLength(3);
  });
});
