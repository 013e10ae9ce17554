import { randomUUID } from 'node:crypto';
import { UsageReport } from '@kith/protocol';
import { expect, test } from 'vitest';
import { testKith } from '../../../test/kith.ts';

const kith = await testKith();
const admin = kith.as('root', 'admin');
const zhangsan = kith.as('zhangsan');
const usage = (query: string) => `/api/v1/usage?${query}`;

for (const [user, cost] of [
  ['zhangsan', '0.25'],
  ['lisi', '0.5'],
]) {
  await kith.database.sql`
    insert into model_calls (id, user_id, agent_type, model_id, vendor_id, status, input_tokens, output_tokens, cost, cost_source)
    values (${randomUUID()}, ${user ?? ''}, 'TASK_EXECUTION', 'v/m', 'v', 'succeeded', 10, 5, ${cost ?? ''}, 'catalog_fallback')`;
}

test('administrators see everyone, by any grouping', async () => {
  const byUser = (await admin.get(usage('group_by=user'))).read(UsageReport);
  expect(byUser.groups.map(({ group, cost }) => [group, cost])).toEqual([
    ['lisi', '0.5'],
    ['zhangsan', '0.25'],
  ]);
  for (const grouping of ['day', 'session', 'model', 'vendor', 'key']) {
    const { total } = (await admin.get(usage(`group_by=${grouping}`))).read(UsageReport);
    expect(total).toMatchObject({ cost: '0.75', model_calls: 2, total_tokens: 30, currency: 'CNY' });
  }
  expect((await admin.get(usage('user_id=lisi'))).read(UsageReport).total.cost).toBe('0.5');
});

test('everyone else sees their own, whatever they ask for', async () => {
  const mine = (await zhangsan.get(usage('group_by=user'))).read(UsageReport);
  expect(mine.groups.map(({ group }) => group)).toEqual(['zhangsan']);
  expect(mine.total.cost).toBe('0.25');
  expect(await zhangsan.get(usage('user_id=lisi'))).toMatchObject({ status: 403, body: { code: 'NOT_YOUR_DATA' } });
});

test('a question that makes no sense is refused by the field', async () => {
  expect(await admin.get(usage('group_by=colour'))).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'group_by' }] },
  });
  expect(await admin.get(usage('from=yesterday'))).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'from' }] },
  });
  expect(await admin.get(usage('from=2026-02-02&to=2026-01-01'))).toMatchObject({ status: 400 });
});
