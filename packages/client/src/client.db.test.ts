import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { startSimulator } from '../../server/src/simulator/index.ts';
import { eventually } from '../../server/test/eventually.ts';
import { testKith } from '../../server/test/kith.ts';
import { eventsOf } from '../../server/test/wire.ts';
import { createKith, KithApiError, type StreamedEvent } from './index.ts';

const simulator = await startSimulator();
const server = await testKith({ options: { simulator } });
beforeEach(() => simulator.control.reset());
const newUser = () => {
  const userId = `user-${randomUUID()}`;
  return { kith: createKith({ url: server.url, userId }), userId };
};

const typesOf = (streamed: readonly StreamedEvent[]) => streamed.map(({ event }) => event.type);

describe('runs', () => {
  test('are asked for and streamed to their end', async () => {
    const { kith } = newUser();
    const events = await Array.fromAsync(kith.runs.ask({ message: '你好' }));
    expect(typesOf(events).at(0)).toBe('RUN_STARTED');
    expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
    const answer = events.find(({ event }) => event.type === 'TEXT_MESSAGE_END')?.event;
    expect(answer).toMatchObject({ status: 'success', answer: expect.stringContaining('你好') });
  });

  test('are streamed without gap or repeat, however often the connection breaks', async () => {
    const { kith, userId } = newUser();
    const run = await kith.runs.start({ message: '帮我查一下我明天的日程' });
    const whole = await eventsOf(server.as(userId), run);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: 1500 }), { maxLength: 3 }), async (cuts) => {
        const unlucky = createKith({ url: server.url, userId, fetch: flakyFetch([...cuts]) });
        const events = await Array.fromAsync(unlucky.runs.stream(run));
        expect(events.map(({ id, event }) => [id, event])).toEqual(whole.map(({ id, data }) => [id, data]));
      }),
      { numRuns: 12 },
    );
  });

  test('that are over are not waited for', async () => {
    const { kith } = newUser();
    const run = await kith.runs.start({ message: '你好' });
    const events = await Array.fromAsync(kith.runs.stream(run));
    expect(await Array.fromAsync(kith.runs.stream({ ...run, after: events.at(-1)?.id }))).toEqual([]);
  });

  test('can be left at any time', async () => {
    const { kith } = newUser();
    simulator.control.next({ latencyMs: 20_000 });
    const leaving = new AbortController();
    const { threadId, runId } = await kith.runs.start({ message: '你好' });
    const seen: string[] = [];
    for await (const { event } of kith.runs.stream({ threadId, runId, signal: leaving.signal })) {
      seen.push(event.type);
      if (event.type === 'STEP_STARTED') leaving.abort();
    }
    expect(seen).toEqual(['RUN_STARTED', 'STEP_STARTED']);
    expect(await kith.runs.cancel(threadId, runId)).toMatchObject({ runId });
    await eventually(async () =>
      expect(await kith.runs.get({ threadId, runId })).toMatchObject({ status: 'canceled' }),
    );
  });

  test('ask for approval, and go on', async () => {
    const { kith } = newUser();
    const threadId = randomUUID();
    await Array.fromAsync(kith.runs.ask({ threadId, message: '安排明天下午三点开会' }));
    const asked = await Array.fromAsync(kith.runs.ask({ threadId, message: '取消明天下午三点的会议' }));
    const last = asked.at(-1);
    if (last?.event.type !== 'RUN_FINISHED' || last.event.outcome?.type !== 'interrupt')
      throw new Error('nothing was asked');
    const { runId } = await kith.runs.approve(threadId, `${last.event.outcome.interrupts[0]?.toolCallId}`);
    const rest = await Array.fromAsync(kith.runs.stream({ threadId, runId, after: last.id }));
    expect(rest.find(({ event }) => event.type === 'TOOL_CALL_RESULT')?.event).toMatchObject({
      tool_name: 'calendar.delete',
      status: 'success',
    });
    await expect(kith.runs.reject(threadId, 'none')).rejects.toMatchObject({
      status: 404,
      code: 'TOOL_CALL_NOT_FOUND',
    });
    expect((await kith.runs.list({ threadId })).runs).toHaveLength(2);
  });

  test('that do not exist are an error, not a wait', async () => {
    const { kith } = newUser();
    const streaming = Array.fromAsync(kith.runs.stream({ threadId: 'none', runId: 'none' }));
    await expect(streaming).rejects.toBeInstanceOf(KithApiError);
    await expect(streaming).rejects.toMatchObject({ status: 404, code: 'SESSION_NOT_FOUND' });
  });
});

test('sessions, history, profile, settings, memories and files are at hand', async () => {
  const { kith } = newUser();
  const { session_id, answer } = await kith.chat({ session_id: randomUUID(), message: '你好' });
  expect((await kith.history(session_id)).messages.map(({ content }) => content)).toEqual(['你好', answer]);
  expect((await kith.sessions.rename(session_id, '问候')).title).toBe('问候');
  expect((await kith.sessions.list({ q: '问候' })).sessions).toHaveLength(1);
  expect(Number((await kith.sessions.usage(session_id)).cost)).toBeGreaterThan(0);
  expect((await kith.sessions.state(session_id)).prompts).toEqual(['你好']);
  expect((await kith.profile.put({ username: 'zhangsan', display_name: '张三' })).display_name).toBe('张三');
  expect(await kith.profile.context()).toMatchObject({ display_name: '张三' });
  expect((await kith.settings.patch({ preferences: { ai_language: 'en-US' } })).preferences.ai_language).toBe('en-US');
  const memory = await kith.memories.add({ content: '喜欢喝茶' });
  expect((await kith.memories.list({ q: '喝茶' })).memories.map(({ id }) => id)).toContain(memory.id);
  await kith.memories.forget(memory.id);
  const file = await kith.files.upload(new Blob(['a,b\n1,2\n'], { type: 'text/csv' }), 'table.csv');
  expect((await kith.files.list()).files.map(({ id }) => id)).toEqual([file.id]);
  expect(await (await kith.files.content(file.id)).text()).toBe('a,b\n1,2\n');
  await kith.files.remove(file.id);
  await kith.profile.remove();
  await kith.sessions.remove(session_id);
  await expect(kith.sessions.get(session_id)).rejects.toMatchObject({ status: 404, code: 'SESSION_NOT_FOUND' });
});

/** Cuts each answer off after so many characters; where there is nothing left to cut, answers pass. */
function flakyFetch(cuts: number[]): typeof fetch {
  return async (address, init) => {
    const response = await fetch(address, init);
    const cut = cuts.shift();
    if (cut === undefined || !response.body) return response;
    let left = cut;
    const broken = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk.subarray(0, left));
          left -= chunk.length;
          if (left <= 0) controller.error(new TypeError('the connection broke'));
        },
      }),
    );
    return new Response(broken, response);
  };
}
