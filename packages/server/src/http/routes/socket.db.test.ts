import { randomUUID } from 'node:crypto';
import { JsonObject, type SocketRequestInput } from '@kith/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../../../test/eventually.ts';
import { testKith } from '../../../test/kith.ts';
import { growLog, openStreams } from '../../../test/slow-readers.ts';
import { eventsOf, startRun } from '../../../test/wire.ts';
import { startSimulator } from '../../simulator/index.ts';

const simulator = await startSimulator();
const kith = await testKith({
  config: { server: { rateLimit: { max: 60 }, bodyLimit: 100_000 }, events: { maxReaderBacklogBytes: 256 * 1024 } },
  options: { simulator },
});

async function connect(headers: Record<string, string> = {}, userId = `user-${randomUUID()}`) {
  const socket = new WebSocket(`${kith.url.replace('http', 'ws')}/api/v1/ws`, {
    headers: { 'x-user-id': userId, ...headers },
  });
  onTestFinished(() => socket.terminate());
  const heard: JsonObject[] = [];
  socket.on('message', (data) => heard.push(JsonObject.parse(JSON.parse(data.toString()))));
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => reject(new Error(`${response.statusCode}`)));
  });
  await opened;
  const events = () => heard.filter(({ type }) => type === 'event').map(({ payload }) => JsonObject.parse(payload));
  return {
    socket,
    heard,
    events,
    userId,
    user: kith.as(userId),
    send: (message: SocketRequestInput) => socket.send(JSON.stringify(message)),
    until: (expected: object) => eventually(() => expect(heard).toContainEqual(expect.objectContaining(expected))),
    untilEnd: (count = 1) =>
      eventually(() =>
        expect(events().filter(({ type }) => type === 'RUN_FINISHED' || type === 'RUN_ERROR')).toHaveLength(count),
      ),
  };
}

describe('a chat over the socket', () => {
  test('is answered by the events of its run, in the flat dialect', async () => {
    const page = await connect();
    page.send({ type: 'chat', payload: { message: '你好', session_id: 'greeting', user_id: page.userId } });
    await page.untilEnd();
    expect(page.heard.every(({ type }) => type === 'event')).toBe(true);
    const runId = `${page.events()[0]?.runId}`;
    const frames = await eventsOf(page.user, { threadId: 'greeting', runId });
    expect(page.heard).toEqual(frames.map(({ id, data }) => ({ type: 'event', id, payload: data })));
  });

  test('knows the context that was set for the connection, in every message', async () => {
    const page = await connect();
    page.send({
      type: 'set_user_context',
      id: 'a',
      payload: { user_id: page.userId, display_name: '张三', email: 'z@example.com' },
    });
    await page.until({ type: 'user_context', reply_to: 'a' });
    expect(page.heard[0]?.payload).toMatchObject({ user_id: page.userId, display_name: '张三' });
    expect(JSON.stringify(page.heard)).not.toContain('example.com');
    for (const [index, message] of ['我是谁', '谢谢', '我叫什么名字'].entries()) {
      page.send({ type: 'chat', payload: { message } });
      await page.untilEnd(index + 1);
    }
    const answers = page
      .events()
      .filter(({ type }) => type === 'TEXT_MESSAGE_END')
      .map(({ answer }) => answer);
    expect(answers[0]).toContain('张三');
    expect(answers[2]).toContain('张三');
    expect(new Set(page.events().map(({ threadId }) => threadId)).size).toBe(1);
  });

  test('is refused for anybody else', async () => {
    const page = await connect();
    page.send({ type: 'chat', id: '1', payload: { message: 'hi', user_id: 'lisi' } });
    await page.until({
      type: 'error',
      reply_to: '1',
      payload: expect.objectContaining({ code: 'NOT_YOUR_DATA', status: 403 }),
    });
    page.send({ type: 'set_user_context', id: '2', payload: { user_id: 'lisi' } });
    await page.until({ type: 'error', reply_to: '2', payload: expect.objectContaining({ code: 'NOT_YOUR_DATA' }) });
    expect(page.events()).toEqual([]);
  });

  test('can be canceled, approved and followed from any event', async () => {
    const page = await connect();
    page.send({ type: 'chat', payload: { thread_id: 't', message: '安排明天下午三点开会' } });
    await page.untilEnd();
    page.send({ type: 'chat', payload: { thread_id: 't', message: '取消明天下午三点的会议' } });
    await page.untilEnd(2);
    const interrupt = page.events().at(-1);
    expect(interrupt).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'interrupt', interrupts: [{ id: expect.any(String) }] },
    });
    const { pending_tool_call_id } = JsonObject.parse(
      JsonObject.parse((await page.user.get('/api/v1/agent/sessions/t')).body).state_snapshot,
    );
    page.send({
      type: 'decision',
      payload: { thread_id: 't', tool_call_id: `${pending_tool_call_id}`, approved: true },
    });
    await page.untilEnd(3);
    expect(
      page
        .events()
        .filter(({ type }) => type === 'TOOL_CALL_RESULT')
        .at(-1),
    ).toMatchObject({ tool_name: 'calendar.delete', status: 'success' });

    const other = await connect({}, page.userId);
    other.send({ type: 'subscribe', payload: { thread_id: 't', cursor: '3-0' } });
    await eventually(() => expect(other.heard).toEqual(page.heard.slice(3)));
    simulator.control.next({ latencyMs: 20_000 });
    page.send({ type: 'chat', payload: { thread_id: 't', message: '你好' } });
    await eventually(() => expect(other.events().at(-1)).toMatchObject({ type: 'STEP_STARTED' }));
    other.send({ type: 'cancel', payload: { thread_id: 't' } });
    await page.untilEnd(4);
    await eventually(() => expect(other.heard).toEqual(page.heard.slice(3)));
    expect(page.events().at(-1)).toMatchObject({ code: 'RUN_CANCELED' });
  });

  test('of a run alone is followed to that run’s end', async () => {
    const page = await connect();
    const run = await startRun(page.user, '你好', 'one');
    await eventsOf(page.user, run);
    await eventsOf(page.user, await startRun(page.user, '谢谢', 'one'));
    page.send({ type: 'subscribe', payload: { thread_id: 'one', run_id: run.runId } });
    await page.untilEnd();
    page.send({ type: 'ping', id: 'p', payload: { n: 1 } });
    await page.until({ type: 'pong', reply_to: 'p', payload: { n: 1 } });
    expect(page.events().every(({ runId }) => runId === run.runId)).toBe(true);
  });
});

describe('the socket', () => {
  test('answers what it does not understand, and stays open', async () => {
    const page = await connect();
    for (const text of [
      '',
      '{',
      '[]',
      '{"type":"dance"}',
      '{"type":"chat"}',
      '{"type":"chat","payload":{"message":""}}',
      'null',
    ]) {
      page.socket.send(text);
    }
    page.socket.send(Buffer.from([1, 2, 3]), { binary: true });
    page.send({ type: 'subscribe', payload: { thread_id: 'none' } });
    page.send({ type: 'ping', payload: null });
    await page.until({ type: 'pong' });
    const codes = page.heard
      .filter(({ type }) => type === 'error')
      .map(({ payload }) => JsonObject.parse(payload).code);
    expect(codes).toEqual([...Array(8).fill('REQUEST_INVALID'), 'SESSION_NOT_FOUND']);
  });

  test('keeps a flood and a giant out', async () => {
    const page = await connect();
    for (let index = 0; index < 80; index++) page.send({ type: 'ping' });
    await page.until({ type: 'error', payload: expect.objectContaining({ code: 'RATE_LIMITED' }) });
    const other = await connect();
    const closed = new Promise<number>((resolve) => other.socket.once('close', resolve));
    other.socket.send('x'.repeat(200_000));
    expect(await closed).toBe(1009);
  });

  test('lets a client go that takes nothing while too much passes by', async () => {
    const page = await connect({}, 'alice');
    simulator.control.next({ latencyMs: 60_000 });
    const run = await startRun(page.user, '你好');
    page.send({ type: 'subscribe', payload: { thread_id: run.threadId, cursor: '0' } });
    await eventually(() => expect(page.events()).not.toEqual([]));
    page.socket.pause();
    const other = await connect({}, 'alice');
    other.send({ type: 'subscribe', payload: { thread_id: run.threadId } });
    // Those of the tests before are on their way out.
    await eventually(async () => expect(await openStreams(page.user)).toBe(2));
    await eventually(async () => {
      await growLog(kith.database, run, 40, 50_000);
      expect(await openStreams(page.user)).toBe(1);
    }, 40_000);
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
    await page.user.post(`/api/v1/agent/runs/${run.threadId}/cancel`);
  });

  test('is not for pages of other origins, nor for hosts that are not ours', async () => {
    await expect(connect({ origin: 'https://evil.example' })).rejects.toThrow('403');
    await expect(connect({ host: 'evil.example' })).rejects.toThrow('403');
    await connect({ origin: kith.url });
  });

  test('is the only thing that its address speaks', async () => {
    expect(await kith.as('alice').get('/api/v1/ws')).toMatchObject({ status: 426, body: { code: 'UPGRADE_REQUIRED' } });
  });
});
