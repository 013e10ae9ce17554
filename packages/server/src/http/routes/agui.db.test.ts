import { randomUUID } from 'node:crypto';
import { HttpAgent } from '@ag-ui/client';
import { EventSchema } from '@ag-ui/core/schemas';
import { JsonObject, RunDetail, RunPage, Session } from '@kith/protocol';
import { HttpAgent as HttpAgent0059 } from 'ag-ui-client-0059';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { eventually } from '../../../test/eventually.ts';
import { testKith } from '../../../test/kith.ts';
import { ask, type Frame, readFrames, typesOf } from '../../../test/wire.ts';
import { startSimulator } from '../../simulator/index.ts';

const simulator = await startSimulator();
const kith = await testKith({ options: { simulator } });
const alice = kith.as('alice');
const url = new URL('/api/v1/agent/agui', kith.url).href;

const warnings: unknown[][] = [];
beforeEach(() => {
  warnings.length = 0;
  simulator.control.reset();
  for (const method of ['warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => void warnings.push(words));
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(warnings).toEqual([]);
});

/** Every frame that an official client got, checked against the protocol's own schemas. */
function recording() {
  const frames: JsonObject[] = [];
  const fetchAndKeep = async (address: string, init?: RequestInit) => {
    const response = await fetch(address, init);
    const [one, other] = response.body?.tee() ?? [];
    if (other)
      void readFrames(new Response(other, response)).then(
        (read) => frames.push(...read.map(({ data }) => data)),
        () => {},
      );
    return new Response(one, response);
  };
  return { frames, fetch: fetchAndKeep };
}

const clients = [
  { name: '1.0.0', Agent: HttpAgent },
  { name: '0.0.59', Agent: HttpAgent0059 },
];

describe.each(clients)('client $name', ({ Agent }) => {
  function newAgent() {
    const wire = recording();
    const userId = `user-${randomUUID()}`;
    const agent = new Agent({ url, threadId: randomUUID(), headers: { 'x-user-id': userId }, fetch: wire.fetch });
    const errors: unknown[] = [];
    agent.subscribe({
      onRunErrorEvent: ({ event }) => {
        errors.push(event);
      },
    });
    const say = async (content: string) => {
      agent.addMessage({ id: randomUUID(), role: 'user', content });
      return agent.runAgent();
    };
    return { agent, say, errors, frames: wire.frames, user: kith.as(userId) };
  }

  test('gets a direct answer', async () => {
    const { agent, say, frames, user } = newAgent();
    const { newMessages } = await say('你好');
    expect(newMessages).toMatchObject([
      { role: 'assistant', content: expect.stringContaining('你好'), metadata: { status: 'success' } },
    ]);
    await say('谢谢');
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    await eventually(() => expect(frames.filter(({ type }) => type === 'RUN_FINISHED')).toHaveLength(2));
    const history = JsonObject.parse((await user.get(`/api/v1/agent/history?threadId=${agent.threadId}`)).body);
    expect(history.messages).toHaveLength(4);
  });

  test('sees tools at work, and the card of a result', async () => {
    const { agent, say } = newAgent();
    await say('帮我查一下我明天的日程');
    const [, call, result, card, answer] = agent.messages;
    expect(call).toMatchObject({ role: 'assistant', toolCalls: [{ function: { name: 'calendar.read' } }] });
    expect(result).toMatchObject({
      role: 'tool',
      metadata: { tool_name: 'calendar.read', status: 'success', ui_schema: { version: 1 } },
    });
    expect(card).toMatchObject({
      role: 'activity',
      activityType: 'a2ui-surface',
      content: { a2ui_operations: expect.any(Array) },
    });
    expect(answer).toMatchObject({ role: 'assistant', metadata: { stage: 'worker' } });
  });

  test('is asked before something is deleted, answers, and holds what really happened', async () => {
    const { agent, say } = newAgent();
    await say('安排明天下午四点开会');
    await say('取消明天下午四点的会议');
    const [interrupt] = agent.pendingInterrupts;
    expect(interrupt).toMatchObject({ reason: 'tool_call', toolCallId: expect.any(String) });
    const held = agent.messages.length;
    // As CopilotKit does: a stand-in for the result goes along with the answer.
    agent.addMessage({
      id: randomUUID(),
      role: 'tool',
      toolCallId: `${interrupt?.toolCallId}`,
      content: '{"approved":true}',
    });
    await agent.runAgent({
      resume: [{ interruptId: `${interrupt?.id}`, status: 'resolved', payload: { approved: true } }],
    });
    expect(agent.pendingInterrupts).toEqual([]);
    const results = agent.messages.filter(
      (message) => message.role === 'tool' && message.toolCallId === interrupt?.toolCallId,
    );
    expect(results).toMatchObject([{ metadata: { tool_name: 'calendar.delete', status: 'success' } }]);
    expect(agent.messages.length).toBeGreaterThan(held);
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant' });
  });

  test('may say no', async () => {
    const { agent, say } = newAgent();
    await say('安排明天下午五点开会');
    await say('取消明天下午五点的会议');
    const [interrupt] = agent.pendingInterrupts;
    await agent.runAgent({ resume: [{ interruptId: `${interrupt?.id}`, status: 'cancelled' }] });
    const result = agent.messages.find(
      (message) => message.role === 'tool' && message.toolCallId === interrupt?.toolCallId,
    );
    expect(result).toMatchObject({ metadata: { status: 'failure', error: { code: 'REJECTED' } } });
  });

  test('learns that a run was canceled', async () => {
    const { agent, say, errors, user } = newAgent();
    simulator.control.next({ latencyMs: 20_000 });
    const running = say('你好');
    await eventually(async () => {
      const { body } = await user.get(`/api/v1/agent/runs?threadId=${agent.threadId}&status=running`);
      expect(body).toMatchObject({ runs: [{ status: 'running' }] });
    });
    await user.post(`/api/v1/agent/runs/${agent.threadId}/cancel`);
    await running;
    expect(errors).toMatchObject([{ type: 'RUN_ERROR', code: 'RUN_CANCELED' }]);
  });

  test('learns that a run failed, and of nothing inside', async () => {
    const { say, errors } = newAgent();
    simulator.control.next({ status: 500, times: 20 });
    await say('你好');
    expect(errors).toMatchObject([
      { type: 'RUN_ERROR', message: 'runtime execution failed', code: expect.any(String) },
    ]);
    expect(JSON.stringify(errors)).not.toMatch(/127\.0\.0\.1|http/);
  });

  test('runs a tool of its own, and the answer goes on with the result', async () => {
    const { agent } = newAgent();
    const tools = [
      {
        name: 'show_map',
        description: 'Shows a map',
        parameters: { type: 'object', properties: { place: { type: 'string' } } },
      },
    ];
    agent.addMessage({ id: randomUUID(), role: 'user', content: 'call show_map {"place":"West Lake"}' });
    await agent.runAgent({ tools });
    const calling = agent.messages.findLast((message) => message.role === 'assistant');
    const [call] = calling && 'toolCalls' in calling ? (calling.toolCalls ?? []) : [];
    expect(call?.function.name).toBe('show_map');
    agent.addMessage({ id: randomUUID(), role: 'tool', toolCallId: `${call?.id}`, content: '{"shown":true}' });
    await agent.runAgent({ tools });
    expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', metadata: { stage: 'worker' } });
  });
});

test('every field on this wire is the protocol’s own; ours are under metadata', async () => {
  const frames = await readFrames(await alice.fetch(url, json(ask('帮我查一下我明天的日程'))));
  const shapes = new Map(
    EventSchema.options.map((schema) => [`${schema.shape.type.value}`, new Set(Object.keys(schema.shape))]),
  );
  for (const { data } of frames) {
    expect(Object.keys(data).filter((field) => !shapes.get(`${data.type}`)?.has(field))).toEqual([]);
  }
  expect(typesOf(frames)).toContain('ACTIVITY_SNAPSHOT');
});

test('the same run asked for twice is one run, and the second client gets the whole of it', async () => {
  const input = ask('帮我查一下我明天的日程');
  const first = await readFrames(await alice.fetch(url, json(input)));
  const second = await readFrames(await alice.fetch(url, json(input)));
  expect(typesOf(second)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
  const snapshot = second[1]?.data.messages;
  const answer = first.findLast(({ data }) => data.type === 'TEXT_MESSAGE_START');
  expect(snapshot).toContainEqual(expect.objectContaining({ id: answer?.data.messageId, role: 'assistant' }));
});

test('a run whose deltas are no longer kept is still told whole', async () => {
  const input = ask('你好');
  const first = await readFrames(await alice.fetch(url, json(input)));
  await kith.database.sql`delete from run_events where type = 'TEXT_MESSAGE_CONTENT' and run_id = ${input.runId}`;
  const second = await readFrames(await alice.fetch(url, json(input)));
  const end = first.find(({ data }) => data.type === 'TEXT_MESSAGE_END');
  const { answer } = JsonObject.parse(end?.data.metadata);
  expect(second[1]?.data.messages).toContainEqual(
    expect.objectContaining({ id: end?.data.messageId, content: answer }),
  );
});

test('a client that joins in the middle of a text gets the rest of it', async () => {
  simulator.control.next({ chunkDelayMs: 30 });
  const input = ask('bench: 40 tokens');
  const reading = await alice.fetch(url, json(input));
  const [early] = [readFrames(reading)];
  await eventually(async () => {
    const { body } = await alice.get(`/api/v1/agent/runs/${input.threadId}?runId=${input.runId}`);
    expect(body).toMatchObject({ status: 'running' });
  });
  const late = await readFrames(await alice.fetch(url, json(input)));
  const whole = await early;
  const text = (frames: typeof whole) =>
    frames.flatMap(({ data }) => (data.type === 'TEXT_MESSAGE_CONTENT' ? [data.delta] : [])).join('');
  const end = whole.find(({ data }) => data.type === 'TEXT_MESSAGE_END');
  expect(late.slice(0, 2).map(({ data }) => data.type)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT']);
  expect(text(whole).endsWith(text(late))).toBe(true);
  expect(end?.data.metadata).toMatchObject({ answer: text(whole) });
});

test('an answer to an interrupt that cannot be taken ends the run with an error, not the connection', async () => {
  const input = { ...ask('x'), resume: [{ interruptId: 'nobody', status: 'resolved', payload: { approved: true } }] };
  const frames = await readFrames(await alice.fetch(url, json(input)));
  expect(frames.map(({ data }) => data)).toMatchObject([
    { type: 'RUN_STARTED' },
    { type: 'RUN_ERROR', code: 'TOOL_CALL_NOT_FOUND' },
  ]);
});

describe('an open question', () => {
  async function opened() {
    const userId = `user-${randomUUID()}`;
    const user = kith.as(userId);
    const threadId = randomUUID();
    const send = async (body: object) => readFrames(await user.fetch(url, json(body)));
    await send(ask('安排明天下午三点开会', threadId));
    const asked = await send(ask('取消明天下午三点的会议', threadId));
    const interrupt = z
      .object({ runId: z.string(), outcome: z.object({ interrupts: z.tuple([z.object({ id: z.string() })]) }) })
      .parse(asked.at(-1)?.data);
    const [{ id }] = interrupt.outcome.interrupts;
    const resume = [{ interruptId: id, status: 'resolved', payload: { approved: true } }];
    const answer = (runId: string, given: object[] = resume) => ({ threadId, runId, messages: [], resume: given });
    const pending = async () =>
      (await user.get(`/api/v1/agent/sessions/${threadId}`)).read(Session).state_snapshot.pending_tool_call_id;
    return { user: { ...user, id: userId }, threadId, send, id, answer, pending, asked, runId: interrupt.runId };
  }
  const deletions = (frames: readonly Frame[]) =>
    frames.filter(({ data }) => data.type === 'TOOL_CALL_RESULT').map(({ data }) => data.metadata);

  test('shows what would happen, and nothing has happened yet', async () => {
    const { user, threadId, runId, asked } = await opened();
    const preview = [{ type: 'fields', fields: expect.arrayContaining([{ label: '标题', value: '开会' }]) }];
    expect(asked.at(-1)?.data).toMatchObject({ outcome: { interrupts: [{ metadata: { preview } }] } });
    const detail = (await user.get(`/api/v1/agent/runs/${threadId}?runId=${runId}`)).read(RunDetail);
    expect(detail.tool_calls.at(-1)).toMatchObject({ status: 'awaiting_approval', preview });
    const [left] = await kith.database
      .sql`select count(*)::int as events from calendar_events where user_id = ${user.id}`;
    expect(left).toEqual({ events: 1 });
    const { runs } = (await user.get('/api/v1/agent/runs')).read(RunPage);
    expect(runs.map(({ prompt, cost }) => ({ prompt, cost }))).toEqual([
      { prompt: '取消明天下午三点的会议', cost: detail.usage.cost },
      { prompt: '安排明天下午三点开会', cost: expect.stringMatching(/^0\.\d+$/) },
    ]);
  });

  test('stays open while another message is answered', async () => {
    const { threadId, send, id, answer, pending } = await opened();
    expect(await pending()).toBe(id);
    const between = await send(ask('你好', threadId));
    expect(between.at(-1)?.data).toMatchObject({ type: 'RUN_FINISHED' });
    expect(await pending()).toBe(id);
    expect(deletions(await send(answer(randomUUID())))).toMatchObject([
      { tool_name: 'calendar.delete', status: 'success' },
    ]);
    expect(await pending()).toBeNull();
  });

  test('is put and answered without telling the conversation anew, which would take apart a run that a page shows as one', async () => {
    const { asked, send, answer } = await opened();
    expect(typesOf(asked)).not.toContain('MESSAGES_SNAPSHOT');
    expect(typesOf(await send(answer(randomUUID())))).not.toContain('MESSAGES_SNAPSHOT');
  });

  test('answered twice is answered once, whether under the same run or another', async () => {
    const { send, answer } = await opened();
    const resumed = randomUUID();
    expect(deletions(await send(answer(resumed)))).toHaveLength(1);
    for (const runId of [resumed, randomUUID()]) {
      const again = await send(answer(runId));
      expect(deletions(again)).toEqual([]);
      expect(typesOf(again)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
    }
  });

  test('answered differently afterwards is refused', async () => {
    const { send, id, answer } = await opened();
    await send(answer(randomUUID()));
    const late = await send(answer(randomUUID(), [{ interruptId: id, status: 'cancelled' }]));
    expect(late.map(({ data }) => data)).toMatchObject([
      { type: 'RUN_STARTED' },
      { type: 'RUN_ERROR', code: 'TOOL_CALL_NOT_PENDING' },
    ]);
  });

  test('can be answered with other arguments', async () => {
    const { send, id, answer } = await opened();
    const frames = await send(
      answer(randomUUID(), [
        { interruptId: id, status: 'resolved', payload: { approved: true, editedArgs: { event_id: 'evt_none' } } },
      ]),
    );
    expect(deletions(frames)).toMatchObject([
      { tool_name: 'calendar.delete', status: 'failure', tool_call_args: { input: { event_id: 'evt_none' } } },
    ]);
  });

  test('that nobody can read is refused, and stays open', async () => {
    const { send, id, answer, pending } = await opened();
    const odd = await send(answer(randomUUID(), [{ interruptId: id, status: 'resolved', payload: { maybe: true } }]));
    expect(odd.at(-1)?.data).toMatchObject({ type: 'RUN_ERROR', code: 'REQUEST_INVALID' });
    expect(await pending()).toBe(id);
  });
});

test('a request that is none is refused before anything streams', async () => {
  for (const body of [
    {},
    { threadId: 't' },
    { threadId: '', runId: 'r', messages: [] },
    { threadId: 't', runId: 'r', messages: 'x' },
  ]) {
    expect(await alice.post('/api/v1/agent/agui', body)).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_INVALID' },
    });
  }
  expect(await alice.post('/api/v1/agent/agui', { threadId: 't', runId: 'r', messages: [] })).toMatchObject({
    status: 400,
    body: { code: 'NOTHING_TO_ANSWER' },
  });
});

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
  body: JSON.stringify(body),
});
