import { randomUUID } from 'node:crypto';
import { HistoryPage, RunDetail, RuntimeState, Session, SessionPage, UsageTotals } from '@kith/protocol';
import { describe, expect, test } from 'vitest';
import { testKith } from '../../../test/kith.ts';
import { eventsOf, startRun } from '../../../test/wire.ts';

const kith = await testKith();
const base = '/api/v1/agent/sessions';

async function talk(messages: readonly string[]) {
  const user = kith.as(`user-${randomUUID()}`);
  const threadId: string = randomUUID();
  const runs = [];
  for (const message of messages) {
    const run = await startRun(user, message, threadId);
    await eventsOf(user, run);
    runs.push(run);
  }
  return { user, threadId, runs };
}

describe('sessions', () => {
  test('are begun, renamed, listed, searched and deleted', async () => {
    const user = kith.as(`user-${randomUUID()}`);
    const made = await user.post(base, { title: '项目 100%' });
    expect(made.status).toBe(201);
    const session = made.read(Session);
    expect(session).toMatchObject({
      thread_id: session.id,
      status: 'pending',
      billing_currency: 'CNY',
      billing_country_snapshot: 'CN',
    });
    expect((await user.post(base)).status).toBe(201);
    expect(await user.post(base, { thread_id: session.thread_id })).toMatchObject({
      status: 409,
      body: { code: 'THREAD_EXISTS' },
    });
    const renamed = await user.patch(`${base}/${session.thread_id}`, { title: '周报' });
    expect(renamed.read(Session).title).toBe('周报');
    const first = (await user.get(`${base}?limit=1`)).read(SessionPage);
    const second = (await user.get(`${base}?limit=1&cursor=${first.next_cursor}`)).read(SessionPage);
    expect([...first.sessions, ...second.sessions].map(({ title }) => title)).toEqual(['周报', null]);
    expect(second.next_cursor).toBeNull();
    expect((await user.get(`${base}?q=${encodeURIComponent('周')}`)).read(SessionPage).sessions).toHaveLength(1);
    expect((await user.get(`${base}?q=%25`)).read(SessionPage).sessions).toHaveLength(0);
    expect((await user.delete(`${base}/${session.thread_id}`)).status).toBe(204);
    expect(await user.get(`${base}/${session.thread_id}`)).toMatchObject({
      status: 404,
      body: { code: 'SESSION_NOT_FOUND' },
    });
  });

  test('belong to their user alone', async () => {
    const { threadId, runs } = await talk(['你好']);
    const stranger = kith.as('stranger');
    for (const path of ['', '/usage', '/state']) {
      expect(await stranger.get(`${base}/${threadId}${path}`)).toMatchObject({
        status: 404,
        body: { code: 'SESSION_NOT_FOUND' },
      });
    }
    expect((await stranger.get(`/api/v1/agent/history?threadId=${threadId}`)).status).toBe(404);
    expect((await stranger.get(`/api/v1/agent/runs/${threadId}?runId=${runs[0]?.runId}`)).status).toBe(404);
    expect((await stranger.post(`/api/v1/agent/runs/${threadId}/cancel`)).status).toBe(404);
    expect((await stranger.delete(`${base}/${threadId}`)).status).toBe(404);
    expect((await stranger.get(base)).read(SessionPage).sessions).toEqual([]);
  });

  test('tell what they cost, and what they went through', async () => {
    const { user, threadId, runs } = await talk(['你好', '帮我查一下我明天的日程']);
    const usage = (await user.get(`${base}/${threadId}/usage`)).read(UsageTotals);
    expect(usage).toMatchObject({ currency: 'CNY', unpriced_calls: 0 });
    expect(Number(usage.cost)).toBeGreaterThan(0);
    const state = (await user.get(`${base}/${threadId}/state`)).read(RuntimeState);
    expect(state.prompts).toEqual(['你好', '帮我查一下我明天的日程']);
    const detail = (await user.get(`/api/v1/agent/runs/${threadId}?runId=${runs[1]?.runId}`)).read(RunDetail);
    expect(detail).toMatchObject({
      status: 'completed',
      tool_calls: [{ tool_name: 'calendar.read', status: 'succeeded' }],
    });
    expect(await user.get(`/api/v1/agent/runs/${threadId}`)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'runId' }] },
    });
  });

  test('show the raw results of their stages to administrators only', async () => {
    const { user, threadId, runs } = await talk(['你好']);
    expect(await user.get(`${base}/${threadId}/audit`)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    const session = await kith.database.sql`select user_id from sessions where thread_id = ${threadId}`;
    const admin = kith.as('root', 'admin');
    const answer = await admin.get(`${base}/${threadId}/audit?user_id=${session[0]?.user_id}`);
    expect(answer).toMatchObject({
      status: 200,
      body: { messages: [{ seq: -1, run_id: runs[0]?.runId, metadata: { intent: { route: 'DIRECT_EXECUTION' } } }] },
    });
    expect((await admin.get(`${base}/${threadId}/audit`)).status).toBe(404);
  });
});

describe('the history', () => {
  test('is read page by page, the newest first, ascending inside', async () => {
    const { user, threadId } = await talk(['你好', '谢谢', '再见']);
    const pages: HistoryPage[] = [];
    for (let before = ''; ; before = `&before=${pages.at(-1)?.next_before}`) {
      pages.push((await user.get(`/api/v1/agent/history?threadId=${threadId}&limit=4${before}`)).read(HistoryPage));
      if (pages.at(-1)?.next_before === null) break;
    }
    expect(pages.map(({ messages }) => messages.map(({ seq }) => seq))).toEqual([
      [3, 4, 5, 6],
      [1, 2],
    ]);
    expect(pages.flatMap(({ messages }) => messages.map(({ role }) => role))).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(await user.get('/api/v1/agent/history')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'threadId' }] },
    });
    for (const query of ['limit=0', 'limit=x', 'before=-1', 'before=x']) {
      expect((await user.get(`/api/v1/agent/history?threadId=${threadId}&${query}`)).status).toBe(400);
    }
  });
});

describe('runs', () => {
  test('are listed, the latest first', async () => {
    const { user, threadId, runs } = await talk(['你好', '谢谢', '再见']);
    const page = async (query: string) => (await user.get(`/api/v1/agent/runs?${query}`)).body;
    expect(await page(`threadId=${threadId}`)).toMatchObject({
      runs: runs.toReversed().map(({ runId }) => ({ runId })),
      next_before: null,
    });
    const first = await user.get('/api/v1/agent/runs?limit=2');
    expect(first.body).toMatchObject({ runs: [{}, {}], next_before: expect.any(String) });
    expect(await page('status=failed')).toEqual({ runs: [], next_before: null });
    expect((await user.get('/api/v1/agent/runs?status=odd')).status).toBe(400);
    expect((await user.get('/api/v1/agent/runs?before=yesterday')).status).toBe(400);
  });

  test('that are over cannot be canceled, and what was never asked cannot be decided', async () => {
    const { user, threadId, runs } = await talk(['你好']);
    expect(await user.post(`/api/v1/agent/runs/${threadId}/cancel?runId=${runs[0]?.runId}`)).toMatchObject({
      status: 202,
      body: { status: 'completed' },
    });
    const decision = `/api/v1/agent/runs/${threadId}/tool-calls/none/decision`;
    expect(await user.post(decision, { approved: true })).toMatchObject({
      status: 404,
      body: { code: 'TOOL_CALL_NOT_FOUND' },
    });
    expect((await user.post(decision, { approved: 'yes' })).status).toBe(400);
    expect((await user.post(decision, { approved: true, more: 1 })).status).toBe(400);
  });
});
