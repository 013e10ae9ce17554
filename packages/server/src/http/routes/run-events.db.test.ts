import { JsonObject } from '@kith/protocol';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { testKith } from '../../../test/kith.ts';
import { growLog, openStreams, stalledReader } from '../../../test/slow-readers.ts';
import { eventsOf, eventsPath, framesOf, startRun, typesOf } from '../../../test/wire.ts';
import { startSimulator } from '../../simulator/index.ts';

const simulator = await startSimulator();
const kith = await testKith({ config: { events: { keepAliveSeconds: 0.05 } }, options: { simulator } });
const alice = kith.as('alice');

describe('the events of a run', () => {
  test('are frames in the flat dialect, from the start to the run’s own end', async () => {
    const run = await startRun(alice, '你好');
    const response = await alice.fetch(eventsPath(run));
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('cache-control')).toContain('no-cache');
    const frames = await Array.fromAsync(framesOf(response));
    expect(frames[0]?.text).toBe(
      `id: 1-0\nevent: RUN_STARTED\ndata: {"type":"RUN_STARTED","threadId":"${run.threadId}","runId":"${run.runId}"}`,
    );
    frames.forEach((frame, index) => {
      expect(frame).toMatchObject({
        id: `${index + 1}-0`,
        event: frame.data.type,
        data: run.runId ? { runId: run.runId } : {},
      });
    });
    expect(typesOf(frames)).toEqual([
      'RUN_STARTED',
      'STEP_STARTED',
      'TEXT_MESSAGE_START',
      ...frames.filter(({ event }) => event === 'TEXT_MESSAGE_CONTENT').map(() => 'TEXT_MESSAGE_CONTENT'),
      'TEXT_MESSAGE_END',
      'STEP_FINISHED',
      'RUN_FINISHED',
    ]);
    const end = frames.find(({ event }) => event === 'TEXT_MESSAGE_END');
    expect(end?.data).toMatchObject({
      role: 'assistant',
      status: 'success',
      suggested_actions: [],
      usageComplete: true,
    });
    const said = frames.filter(({ event }) => event === 'TEXT_MESSAGE_CONTENT').map(({ data }) => data.delta);
    expect(said.join('')).toBe(end?.data.answer);
    expect(frames.map(({ text }) => text).join('')).not.toMatch(/inputTokens|outputTokens|"cost"|latencyMs|"model"/);
  });

  test('of a tool call come in order, under one id', async () => {
    const frames = await eventsOf(alice, await startRun(alice, '帮我查一下我明天的日程'));
    const calls = frames.filter(({ event }) => event?.startsWith('TOOL_CALL'));
    expect(typesOf(calls)).toEqual(['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', 'TOOL_CALL_RESULT']);
    const [start, args, , result] = calls.map(({ data }) => data);
    expect(start).toMatchObject({ toolCallName: 'calendar.read', stage: 'worker' });
    expect(args).toMatchObject({ toolCallId: start?.toolCallId, args: { module: 'calendar', method: 'read' } });
    expect(result).toMatchObject({
      role: 'tool',
      tool_name: 'calendar.read',
      tool_call_id: start?.toolCallId,
      tool_call_args: args?.args,
      status: 'success',
      result: { count: 0 },
      ui_schema: { version: 1 },
    });
  });

  test('of another run on the thread are not among them, and its end is not theirs', async () => {
    const first = await startRun(alice, '你好');
    const second = await startRun(alice, '谢谢', first.threadId);
    const [one, other] = await Promise.all([eventsOf(alice, first), eventsOf(alice, second)]);
    for (const [frames, run] of [
      [one, first],
      [other, second],
    ] as const) {
      expect(frames.every(({ data }) => data.runId === run.runId)).toBe(true);
      expect(typesOf(frames).at(-1)).toBe('RUN_FINISHED');
    }
  });

  test('can be had again from any of them, by header or query, byte for byte', async () => {
    const run = await startRun(alice, '帮我查一下我明天的日程');
    const all = await eventsOf(alice, run);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: all.length - 1 }), fc.boolean(), fc.boolean(), async (at, byQuery, short) => {
        const id = short ? `${all[at]?.id?.replace('-0', '')}` : `${all[at]?.id}`;
        const path = byQuery ? `${eventsPath(run)}&lastEventId=${id}` : eventsPath(run);
        const response = await alice.fetch(path, byQuery ? {} : { headers: { 'last-event-id': id } });
        const rest = await Array.fromAsync(framesOf(response));
        expect(rest.map(({ text }) => text)).toEqual(all.slice(at + 1).map(({ text }) => text));
      }),
      { numRuns: 20 },
    );
  });

  test('go on after an approval, under the same run', async () => {
    await eventsOf(alice, await startRun(alice, '安排明天下午三点开评审会'));
    const run = await startRun(alice, '取消明天下午三点的评审会');
    const before = await eventsOf(alice, run);
    const last = before.at(-1);
    expect(last?.data).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'interrupt' } });
    const { pending_tool_call_id: call } = JsonObject.parse(
      JsonObject.parse((await alice.get(`/api/v1/agent/sessions/${run.threadId}`)).body).state_snapshot,
    );
    const following = eventsOf(alice, run, last?.id);
    const decided = await alice.post(`/api/v1/agent/runs/${run.threadId}/tool-calls/${call}/decision`, {
      approved: true,
    });
    expect(decided).toMatchObject({ status: 202, body: { runId: run.runId } });
    const after = await following;
    expect(typesOf(after)).toContain('TOOL_CALL_RESULT');
    expect(after.at(-1)?.data).toMatchObject({ type: 'RUN_FINISHED' });
    expect((await eventsOf(alice, run)).map(({ text }) => text)).toEqual([...before, ...after].map(({ text }) => text));
  });

  test('end with RUN_CANCELED when the user cancels', async () => {
    simulator.control.next({ latencyMs: 20_000 });
    const run = await startRun(alice, '你好');
    const following = eventsOf(alice, run);
    await eventually(async () => {
      const { body } = await alice.get(`/api/v1/agent/runs/${run.threadId}?runId=${run.runId}`);
      expect(body).toMatchObject({ status: 'running' });
    });
    expect((await alice.post(`/api/v1/agent/runs/${run.threadId}/cancel?runId=${run.runId}`)).status).toBe(202);
    expect((await following).at(-1)?.data).toMatchObject({
      type: 'RUN_ERROR',
      code: 'RUN_CANCELED',
      message: 'run canceled by user',
    });
    expect(await alice.get(`/api/v1/agent/sessions/${run.threadId}`)).toMatchObject({ body: { status: 'failed' } });
  });

  test('are kept alive with comments while nothing happens', async () => {
    simulator.control.next({ latencyMs: 1_000 });
    const run = await startRun(alice, '你好');
    const text = await (await alice.fetch(eventsPath(run))).text();
    expect(text).toContain('\n\n: keep-alive\n\n');
  });
});

test('a reader that takes nothing between two signs of life is let go', async () => {
  simulator.control.next({ latencyMs: 60_000 });
  const run = await startRun(alice, '你好');
  const socket = stalledReader(kith.url, eventsPath(run));
  onTestFinished(() => {
    socket.destroy();
  });
  await eventually(async () => expect(await openStreams(alice)).toBe(1));
  // The systems on both sides take some of it for the reader.
  await eventually(async () => {
    await growLog(kith.database, run, 40, 50_000);
    expect(await openStreams(alice)).toBe(0);
  }, 40_000);
  await alice.post(`/api/v1/agent/runs/${run.threadId}/cancel`);
});

describe('a stream is refused', () => {
  test('without a run, or with an id that is none of its own', async () => {
    const run = await startRun(alice, '你好');
    await eventsOf(alice, run);
    const base = `/api/v1/agent/runs/${run.threadId}/events`;
    expect(await alice.get(base)).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_INVALID', errors: [{ field: 'runId' }] },
    });
    for (const id of ['x', '1-2', '-1', '1.5', ' 1', '12-0-0', '99999', '9'.repeat(40)]) {
      const answer = await alice.get(`${base}?runId=${run.runId}&lastEventId=${id}`);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'lastEventId' }] } });
    }
  });

  test('for what is not there, or is somebody else’s', async () => {
    const run = await startRun(alice, '你好');
    expect(await alice.get(eventsPath({ ...run, runId: 'none' }))).toMatchObject({
      status: 404,
      body: { code: 'RUN_NOT_FOUND' },
    });
    expect(await alice.get(eventsPath({ ...run, threadId: 'none' }))).toMatchObject({
      status: 404,
      body: { code: 'SESSION_NOT_FOUND' },
    });
    expect(await kith.as('bob').get(eventsPath(run))).toMatchObject({
      status: 404,
      body: { code: 'SESSION_NOT_FOUND' },
    });
  });

  test('when deltas that it would need are no longer kept; from the start it can still be read', async () => {
    const run = await startRun(alice, '你好');
    const all = await eventsOf(alice, run);
    await kith.database.sql`
      delete from run_events where type = 'TEXT_MESSAGE_CONTENT' and run_id = ${run.runId}`;
    const start = all.find(({ event }) => event === 'TEXT_MESSAGE_START');
    expect(await alice.get(eventsPath(run), { 'last-event-id': `${start?.id}` })).toMatchObject({
      status: 410,
      body: { code: 'EVENTS_EXPIRED' },
    });
    const rest = await eventsOf(alice, run);
    expect(rest.map(({ text }) => text)).toEqual(
      all.filter(({ event }) => event !== 'TEXT_MESSAGE_CONTENT').map(({ text }) => text),
    );
  });
});
