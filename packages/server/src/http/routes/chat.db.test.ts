import { randomUUID } from 'node:crypto';
import { ChatResponse, ContextPrompt, RunAccepted, Session } from '@kith/protocol';
import { expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { testKith } from '../../../test/kith.ts';
import { startSimulator } from '../../simulator/index.ts';

const simulator = await startSimulator();
const kith = await testKith({ options: { simulator } });
const zhangsan = kith.as('zhangsan');
const chat = async (body: object) => (await zhangsan.post('/api/v1/chat', body)).read(ChatResponse);

test('a message is answered, and an unknown session is begun', async () => {
  const session_id = randomUUID();
  const answer = await chat({ session_id, message: '你好' });
  expect(answer).toMatchObject({
    session_id,
    status: 'completed',
    suggested_actions: [],
    usage: { usageComplete: true },
  });
  expect(answer.answer).toContain('你好');
  const session = (await zhangsan.get(`/api/v1/agent/sessions/${session_id}`)).read(Session);
  expect(session).toMatchObject({ user_id: 'zhangsan', title: '你好', status: 'completed' });
  expect((await chat({ session_id, message: '谢谢' })).session_id).toBe(session_id);
});

test('what the request says of its user reaches the agent, and the session remembers it', async () => {
  const session_id = randomUUID();
  const user_context = {
    user_id: 'zhangsan',
    display_name: '张三',
    department: '数据部',
    email: 'zhangsan@example.com',
  };
  const { answer } = await chat({ session_id, message: '我是谁', user_context });
  expect(answer).toContain('张三');
  const session = (await zhangsan.get(`/api/v1/agent/sessions/${session_id}`)).read(Session);
  expect(session.user_context).toMatchObject({ user_id: 'zhangsan', display_name: '张三', department: '数据部' });
  expect(JSON.stringify([session, simulator.control.requests.map(({ body }) => body)])).not.toContain(
    'zhangsan@example.com',
  );
});

test('nobody speaks for somebody else', async () => {
  const body = { session_id: randomUUID(), message: '我是谁', user_context: { user_id: 'lisi' } };
  expect(await zhangsan.post('/api/v1/chat', body)).toMatchObject({ status: 403, body: { code: 'NOT_YOUR_DATA' } });
  const malformed = { ...body, user_context: { user_id: 'zhangsan', department: 7 } };
  expect(await zhangsan.post('/api/v1/chat', malformed)).toMatchObject({
    status: 400,
    body: { code: 'REQUEST_INVALID', errors: [{ field: 'user_context.department' }] },
  });
});

test('a session of another user with the same id is another session', async () => {
  const session_id = randomUUID();
  await chat({ session_id, message: '你好' });
  const other = (await kith.as('lisi').post('/api/v1/chat', { session_id, message: 'hello' })).read(ChatResponse);
  expect(other.status).toBe('completed');
  const { sessions } = kith.rooms;
  expect((await sessions.find('lisi', session_id)).id).not.toBe((await sessions.find('zhangsan', session_id)).id);
});

test('a call that waits for approval is named, and can be approved', async () => {
  const session_id = randomUUID();
  await chat({ session_id, message: '安排明天下午三点开会' });
  const waiting = await chat({ session_id, message: '取消明天下午三点的会议' });
  expect(waiting).toMatchObject({ status: 'awaiting_approval', pending_tool_call_id: expect.any(String) });
  const decision = `/api/v1/agent/runs/${session_id}/tool-calls/${waiting.pending_tool_call_id}/decision`;
  expect((await zhangsan.post(decision, { approved: true })).read(RunAccepted).runId).toBe(waiting.run_id);
  await eventually(async () => {
    const { body } = await zhangsan.get(`/api/v1/agent/runs/${session_id}?runId=${waiting.run_id}`);
    expect(body).toMatchObject({ status: 'completed' });
  });
});

test('a run that fails says so, under an id that the log has', async () => {
  simulator.control.next({ status: 500, times: 20 });
  const answer = await chat({ session_id: randomUUID(), message: '你好' });
  expect(answer).toMatchObject({
    status: 'failed',
    answer: '',
    error: { message: 'runtime execution failed', error_id: expect.any(String) },
  });
  simulator.control.reset();
});

test('the prompt of a chat is the one that the caller can read', async () => {
  const { prompt } = (await zhangsan.get('/api/v1/users/me/context/prompt')).read(ContextPrompt);
  await chat({ session_id: randomUUID(), message: '你好' });
  expect(JSON.stringify(simulator.control.requests.at(-1)?.body)).toContain(JSON.stringify(prompt).slice(1, -1));
});
