import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';

/** The database itself refuses bad rows, whoever writes them. */
const { sql } = await testDatabase();

type Row = Record<string, unknown>;
const insert = (table: string, row: Row) =>
  sql`insert into ${sql(table)} ${sql(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asParameter(value)])))}`;
const asParameter = (value: unknown) =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? sql.json({ ...value }) : (value as string);

async function newSession(row: Row = {}): Promise<string> {
  const id = randomUUID();
  await insert('sessions', { id, user_id: 'zhangsan', thread_id: id, ...row });
  return id;
}
const message = (session: string, row: Row = {}) => ({
  session_id: session,
  turn: 0,
  seq: 1,
  role: 'user',
  content: '你好',
  metadata: { type: 'user_input' },
  visibility_mask: 3,
  currency: 'CNY',
  ...row,
});
const run = (session: string, row: Row = {}) => ({
  session_id: session,
  user_id: 'zhangsan',
  run_id: randomUUID(),
  turn: 0,
  input: {},
  ...row,
});

const session = await newSession();
const event = { id: randomUUID(), user_id: 'zhangsan', title: 't', timezone: 'UTC' };
const vendor = { id: 'v', name: 'v', adapter: 'http' };
await insert('vendors', vendor);

test.each<[sentence: string, table: string, row: Row, constraint: string]>([
  [
    'a session with an unknown status',
    'sessions',
    { user_id: 'a', thread_id: 'a', status: 'lost', state_snapshot: { status: 'lost' } },
    'sessions_status',
  ],
  [
    'a status that its snapshot does not share',
    'sessions',
    { user_id: 'a', thread_id: 'a', status: 'running' },
    'sessions_status_matches_snapshot',
  ],
  [
    'a session billed in another currency than CNY',
    'sessions',
    { user_id: 'a', thread_id: 'a', billing_currency: 'USD' },
    'sessions_currency',
  ],
  [
    'an unknown runtime mode',
    'sessions',
    { user_id: 'a', thread_id: 'a', runtime_mode: 'batch' },
    'sessions_runtime_mode',
  ],
  ['a message of an unknown role', 'messages', message(session, { role: 'robot' }), 'messages_role'],
  ['a message that is number zero', 'messages', message(session, { seq: 0 }), 'messages_seq_not_zero'],
  [
    'a message of an unknown kind',
    'messages',
    message(session, { metadata: { type: 'gossip' } }),
    'messages_metadata_type',
  ],
  [
    'a visibility with bits that mean nothing',
    'messages',
    message(session, { visibility_mask: 4 }),
    'messages_visibility',
  ],
  ['a cost below nothing', 'messages', message(session, { cost: '-0.000000000001' }), 'messages_cost'],
  ['a run with an unknown status', 'runs', run(session, { status: 'resting' }), 'runs_status'],
  [
    'a relevance above one',
    'actions',
    { session_id: session, turn: 0, id: 1, node: 'tool', summary: '', usage: {}, next: {}, relevance: 1.1 },
    'actions_relevance',
  ],
  [
    'a tool call with an unknown status',
    'tool_calls',
    {
      session_id: session,
      tool_call_id: 'c',
      run_id: 'r',
      turn: 0,
      module: 'm',
      method: 'm',
      args: {},
      status: 'maybe',
    },
    'tool_calls_status',
  ],
  [
    'custom fields that are a list',
    'profiles',
    { user_id: 'a', username: 'a', display_name: 'a', custom_fields: '[]' },
    'profiles_custom_fields_object',
  ],
  [
    'settings that are a list',
    'profiles',
    { user_id: 'a', username: 'a', display_name: 'a', settings: '[]' },
    'profiles_settings_object',
  ],
  [
    'a service key with an unknown role',
    'service_keys',
    { label: 'a', prefix: 'a', hash: 'a', role: 'root' },
    'service_keys_role',
  ],
  ['a vendor with an unknown adapter', 'vendors', { ...vendor, id: 'w', adapter: 'fax' }, 'vendors_adapter'],
  [
    'a model of an unknown category',
    'models',
    { id: 'v/m', vendor_id: 'v', name: 'm', category: 'smell' },
    'models_category',
  ],
  [
    'a vendor key with a weight below nothing',
    'vendor_keys',
    { vendor_id: 'v', label: 'k', prefix: 'k', secret: 's', weight: -1 },
    'vendor_keys_weight',
  ],
  [
    'a model call with a cost below nothing',
    'model_calls',
    { id: randomUUID(), agent_type: 'TASK_EXECUTION', status: 'succeeded', cost: '-1' },
    'model_calls_cost',
  ],
  [
    'an event that ends before it starts',
    'calendar_events',
    { ...event, starts_at: '2026-11-16T10:00:00Z', ends_at: '2026-11-16T09:59:59Z' },
    'calendar_events_order',
  ],
  ['a memory of an unknown kind', 'memories', { user_id: 'a', kind: 'rumour', content: 'c' }, 'memories_kind'],
  [
    'a file kept by an unknown provider',
    'files',
    { user_id: 'a', name: 'n', media_type: 't', size: 1, sha256: 's', path: 'p', provider: 'attic' },
    'files_provider',
  ],
  [
    'a job with an unknown status',
    'automation_jobs',
    { user_id: 'a', name: 'n', prompt: 'p', schedule: {}, timezone: 'UTC', status: 'late' },
    'automation_jobs_status',
  ],
])('the database refuses %s', async (_sentence, table, row, constraint) => {
  await expect(insert(table, row)).rejects.toMatchObject({ code: '23514', constraint_name: constraint });
});

test('a thread id belongs to a user once, and other users may have the same', async () => {
  await newSession({ thread_id: 'plans' });
  await expect(newSession({ thread_id: 'plans' })).rejects.toMatchObject({ constraint_name: 'sessions_thread' });
  await newSession({ thread_id: 'plans', user_id: 'lisi' });
});

test('a number in a thread is given once, and a run id too', async () => {
  const thread = await newSession();
  await insert('messages', message(thread));
  await expect(insert('messages', message(thread))).rejects.toMatchObject({ constraint_name: 'messages_seq' });
  await insert('runs', run(thread, { run_id: 'r' }));
  await expect(insert('runs', run(thread, { run_id: 'r' }))).rejects.toMatchObject({ constraint_name: 'runs_run_id' });
});

test('a thread has one running run at a time, and any number that wait or are over', async () => {
  const thread = await newSession();
  for (const status of ['queued', 'queued', 'completed', 'completed', 'running'])
    await insert('runs', run(thread, { status }));
  await expect(insert('runs', run(thread, { status: 'running' }))).rejects.toMatchObject({
    code: '23505',
    constraint_name: 'runs_one_running',
  });
});

test('an event number of a thread is logged once', async () => {
  const thread = await newSession();
  const logged = { session_id: thread, seq: 1, run_id: 'r', attempt: 1, type: 'RUN_STARTED', payload: {} };
  await insert('run_events', logged);
  await expect(insert('run_events', logged)).rejects.toMatchObject({ code: '23505' });
});

test('a due time of a job runs once', async () => {
  const id = randomUUID();
  await insert('automation_jobs', { id, user_id: 'a', name: 'n', prompt: 'p', schedule: {}, timezone: 'UTC' });
  const due = { job_id: id, due_at: '2026-11-16T00:00:00Z' };
  await insert('automation_runs', due);
  await expect(insert('automation_runs', due)).rejects.toMatchObject({ code: '23505' });
});

test('a service key hash is stored once', async () => {
  await insert('service_keys', { label: 'a', prefix: 'ksk_a', hash: 'the same' });
  await expect(insert('service_keys', { label: 'b', prefix: 'ksk_b', hash: 'the same' })).rejects.toMatchObject({
    code: '23505',
  });
});

test('a message in another currency than its session is refused when written and when changed', async () => {
  const thread = await newSession();
  const refusal = { code: '23514', message: 'message currency USD does not match session currency CNY' };
  await expect(insert('messages', message(thread, { currency: 'USD' }))).rejects.toMatchObject(refusal);
  await insert('messages', message(thread));
  await expect(sql`update messages set currency = 'USD' where session_id = ${thread}`).rejects.toMatchObject(refusal);
});

test('visible and audit messages each have an index of their own', async () => {
  const rows = await sql<{ indexdef: string }[]>`
    select indexdef from pg_indexes where indexname in ('messages_display', 'messages_audit') order by indexname`;
  expect(rows.map((row) => row.indexdef)).toEqual([
    expect.stringContaining('WHERE (seq < 0)'),
    expect.stringContaining('WHERE (seq > 0)'),
  ]);
});

test('what belongs to a session goes with it', async () => {
  const thread = await newSession();
  await insert('messages', message(thread));
  await insert('runs', run(thread));
  await sql`delete from sessions where id = ${thread}`;
  expect(
    await sql`select 1 from messages where session_id = ${thread} union all select 1 from runs where session_id = ${thread}`,
  ).toEqual([]);
});
