import { randomUUID } from 'node:crypto';
import { CopilotKitCore } from '@copilotkit/core';
import type { AbstractAgent } from 'ag-ui-client-0059';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { testKith } from '../../../test/kith.ts';
import { ask, readFrames, typesOf } from '../../../test/wire.ts';
import { startSimulator } from '../../simulator/index.ts';

const simulator = await startSimulator();
const kith = await testKith({ options: { simulator } });
const runtimeUrl = new URL('/api/v1/copilotkit', kith.url).href;

// Without a window the core takes itself for a server and does not connect.
vi.stubGlobal('window', { location: new URL(kith.url) });

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

/** A page with CopilotKit in it, without the page. */
async function openPage(userId: string, threadId: string, transport: 'auto' | 'single' = 'auto') {
  const core = new CopilotKitCore({ runtimeUrl, runtimeTransport: transport, headers: { 'x-user-id': userId } });
  const failures: unknown[] = [];
  const { unsubscribe } = core.subscribe({ onError: ({ error }) => void failures.push(error) });
  onTestFinished(() => {
    unsubscribe();
    expect(failures).toEqual([]);
  });
  let agent: AbstractAgent | undefined;
  await eventually(() => {
    agent = core.getAgent('default');
    expect(agent).toBeDefined();
  });
  if (!agent) throw new Error('no agent');
  agent.threadId = threadId;
  const page = { core, agent };
  return { ...page, say: (content: string) => say(page, content) };
}

function say({ core, agent }: { core: CopilotKitCore; agent: AbstractAgent }, content: string) {
  agent.addMessage({ id: randomUUID(), role: 'user', content });
  return core.runAgent({ agent });
}

const names = () => ({ user: `user-${randomUUID()}`, thread: randomUUID() });

describe.each(['auto', 'single'] as const)('CopilotKit’s core, %s transport', (transport) => {
  test('runs, and shows the same after a reload', async () => {
    const { user, thread } = names();
    const page = await openPage(user, thread, transport);
    await page.core.connectAgent({ agent: page.agent });
    expect(page.agent.messages).toEqual([]);
    await page.say('帮我查一下我明天的日程');
    expect(page.agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'activity', 'assistant']);
    const reloaded = await openPage(user, thread, transport);
    await reloaded.core.connectAgent({ agent: reloaded.agent });
    expect(reloaded.agent.messages.map(({ id, role }) => [id, role])).toEqual(
      page.agent.messages.map(({ id, role }) => [id, role]),
    );
    await reloaded.say('谢谢');
    expect(reloaded.agent.messages).toHaveLength(7);
  });

  test('comes back to a run under way and gets the rest of it', async () => {
    const { user, thread } = names();
    const page = await openPage(user, thread, transport);
    simulator.control.next({ chunkDelayMs: 40 });
    const running = page.say('bench: 30 tokens');
    await eventually(() =>
      expect(page.agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: expect.stringContaining('w05') }),
    );
    const reloaded = await openPage(user, thread, transport);
    await Promise.all([running, reloaded.core.connectAgent({ agent: reloaded.agent })]);
    expect(reloaded.agent.messages.map(({ id, content }) => [id, content])).toEqual(
      page.agent.messages.map(({ id, content }) => [id, content]),
    );
    expect(reloaded.agent.messages.at(-1)).toMatchObject({ content: expect.stringMatching(/w01 .* w30$/) });
  });

  test('finds an open question again after a reload, and answers it', async () => {
    const { user, thread } = names();
    const page = await openPage(user, thread, transport);
    await page.say('安排明天下午三点开会');
    await page.say('取消明天下午三点的会议');
    const reloaded = await openPage(user, thread, transport);
    await reloaded.core.connectAgent({ agent: reloaded.agent });
    const [interrupt] = reloaded.agent.pendingInterrupts;
    expect(interrupt).toMatchObject({ reason: 'tool_call' });
    expect(interrupt).toEqual(page.agent.pendingInterrupts[0]);
    const [run] = (await kith.rooms.runs.list(user, { threadId: thread, limit: 1 })) ?? [];
    // As its interrupt hook does: the decision as a tool message, and the interrupted run's own id.
    reloaded.agent.addMessage({
      id: randomUUID(),
      role: 'tool',
      toolCallId: `${interrupt?.toolCallId}`,
      content: '{"approved":true}',
    });
    await reloaded.core.runAgent({
      agent: reloaded.agent,
      runId: run?.runId,
      resume: [{ interruptId: `${interrupt?.id}`, status: 'resolved', payload: { approved: true } }],
    });
    expect(reloaded.agent.pendingInterrupts).toEqual([]);
    const results = reloaded.agent.messages.filter(
      (message) => message.role === 'tool' && message.toolCallId === interrupt?.toolCallId,
    );
    expect(results).toMatchObject([{ metadata: { tool_name: 'calendar.delete', status: 'success' } }]);
  });

  test('stops a run', async () => {
    const { user, thread } = names();
    const page = await openPage(user, thread, transport);
    simulator.control.next({ latencyMs: 20_000 });
    const running = page.say('你好');
    await eventually(async () => {
      expect(await kith.rooms.runs.list(user, { threadId: thread, status: 'running', limit: 1 })).toHaveLength(1);
    });
    page.core.stopAgent({ agent: page.agent });
    await running;
    expect(await kith.rooms.runs.list(user, { threadId: thread, limit: 1 })).toMatchObject([{ status: 'canceled' }]);
  });
});

describe('the addresses', () => {
  const alice = kith.as('alice');
  const post = (path: string, body: unknown) =>
    alice.fetch(`/api/v1/copilotkit${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('connecting to a run that failed shows the conversation, not the failure again', async () => {
    simulator.control.next({ status: 500, times: 20 });
    const input = ask('你好');
    expect(typesOf(await readFrames(await post('/agent/default/run', input))).at(-1)).toBe('RUN_ERROR');
    const frames = await readFrames(await post('/agent/default/connect', { ...input, runId: 'other', messages: [] }));
    expect(typesOf(frames)).toEqual(['RUN_STARTED', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED']);
  });

  test('a thread that is not begun is an empty conversation', async () => {
    const frames = await readFrames(
      await post('/agent/default/connect', { threadId: 'new', runId: 'r', messages: [] }),
    );
    expect(typesOf(frames)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
  });

  test('stopping what does not run is harmless, and unknown agents are not here', async () => {
    expect(await alice.post('/api/v1/copilotkit/agent/default/stop/none')).toMatchObject({
      status: 200,
      body: { stopped: false },
    });
    expect((await post('/agent/other/run', ask('hi'))).status).toBe(404);
    expect((await post('', { method: 'agent/run', params: { agentId: 'default' }, body: {} })).status).toBe(400);
    expect((await post('', { method: 'nothing' })).status).toBe(400);
  });
});
