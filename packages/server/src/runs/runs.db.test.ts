import { expect, test } from 'vitest';
import { newTalk, testRooms } from '../../test/rooms.ts';

const kith = await testRooms();
const { sql } = kith.database;

const messagesOf = (threadId: string) => sql`
  select seq, role, metadata ->> 'type' as type, content from messages join sessions on sessions.id = messages.session_id
  where thread_id = ${threadId} order by seq`;

test('a small question is answered by the router alone, with the message, the answer and the audit kept', async () => {
  const talk = newTalk();
  const run = await kith.ask(talk, '你好');
  expect(run.status).toBe('completed');
  expect(run.actions.map((action) => action.node)).toEqual(['user_context', 'files', 'memory', 'router', 'end']);
  const messages = await messagesOf(talk.threadId);
  expect(messages.map((row) => [row.seq, row.role, row.type])).toEqual([
    [-1, 'assistant', 'assistant_output'],
    [1, 'user', 'user_input'],
    [2, 'assistant', 'assistant_output'],
  ]);
});

test('a request of three tools plans, runs two of them at the same time, and answers', async () => {
  const talk = newTalk();
  const run = await kith.ask(talk, '查一下明天的日程和李雷的联系方式，然后安排周五下午两点和他开会');
  expect(run.status).toBe('completed');
  const together = run.actions.find((action) => action.node === 'planner' && action.next.length === 2);
  expect(together?.summary).toBe('calendar.read, contacts.read');
  expect(run.tool_calls.map((call) => [call.tool_name, call.status])).toContainEqual(['calendar.create', 'succeeded']);
  expect(run.todos.map((todo) => todo.status)).toEqual(['completed', 'completed', 'completed']);
});

test('the session and its snapshot stand the same at every time, and the title is the first thing said', async () => {
  const talk = newTalk();
  await kith.ask(talk, 'What can you do?\nTell me');
  await kith.ask(talk, 'thanks');
  const session = await kith.sessions.find(talk.userId, talk.threadId);
  expect(session.title).toBe('What can you do? Tell me');
  expect(session.status).toBe('completed');
  expect(session.state_snapshot).toEqual({ status: 'completed', pending_tool_call_id: null });
});

test('the same run id twice is one run', async () => {
  const talk = newTalk();
  const [first, second] = await Promise.all([
    kith.say(talk, 'hi', { runId: 'r1' }),
    kith.say(talk, 'hi', { runId: 'r1' }),
  ]);
  expect([first.repeated, second.repeated].sort()).toEqual([false, true]);
  await kith.until(talk, 'r1');
  expect((await messagesOf(talk.threadId)).filter((row) => row.role === 'user')).toHaveLength(1);
});

test('every token and fen of a session is in its messages and in its calls alike', async () => {
  const talk = newTalk();
  await kith.ask(talk, '你好');
  await kith.ask(talk, '帮我查一下我下周的日程');
  await kith.ask(talk, '我喜欢喝茶');
  const [totals] = await sql`
    select (select sum(cost) from messages where session_id = sessions.id) as said,
      (select sum(input_tokens + output_tokens) from messages where session_id = sessions.id and input_tokens is not null) as said_tokens,
      (select sum(cost) from model_calls where session_id = sessions.id) as booked,
      (select sum(input_tokens + output_tokens) from model_calls where session_id = sessions.id) as booked_tokens,
      (select count(*) from model_calls where session_id = sessions.id and message_id is null) as homeless
    from sessions where thread_id = ${talk.threadId}`;
  expect(totals?.said).toBe(totals?.booked);
  expect(totals?.said_tokens).toBe(totals?.booked_tokens);
  expect(Number(totals?.booked)).toBeGreaterThan(0);
  expect(totals?.homeless).toBe(0);
});

test('the state of a session is the document of its turns', async () => {
  const talk = newTalk();
  await kith.ask(talk, '你好');
  await kith.ask(talk, '帮我查一下我明天的日程');
  const answer = await (async () => {
    const { readRuntimeState } = await import('../sessions/index.ts');
    const session = await kith.sessions.find(talk.userId, talk.threadId);
    return readRuntimeState(sql, session, {
      origin_files: [],
      preprocessed_files: { documents: {}, tables: {}, other_files: {} },
    });
  })();
  expect(answer.prompts).toEqual(['你好', '帮我查一下我明天的日程']);
  expect(answer.action_history.map((turn) => turn.length > 0)).toEqual([true, true]);
  const ids = answer.action_history.flat().map((action) => action.id);
  expect(ids).toEqual(ids.map((_, index) => index + 1));
  expect(answer.usage.every((usage) => usage.total_tokens > 0)).toBe(true);
  expect(answer.chat_history).toHaveLength(4);
});
