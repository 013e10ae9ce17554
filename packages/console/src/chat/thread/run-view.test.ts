import { KithEvent } from '@kith/protocol';
import { expect, test } from 'vitest';
import { applyEvent, newRunView, type RunView } from './run-view.ts';

const run = { threadId: 't', runId: 'r' };
const text = (type: 'TEXT_MESSAGE_START', messageId: string) => ({
  type,
  messageId,
  role: 'assistant',
  stage: 'worker',
});
const end = (messageId: string, status: string, answer: string) => ({
  type: 'TEXT_MESSAGE_END',
  messageId,
  role: 'assistant',
  stage: 'worker',
  status,
  answer,
  suggested_actions: [],
});
const play = (events: object[], from: RunView = newRunView('r')) =>
  events.map((event) => KithEvent.parse({ ...run, ...event })).reduce(applyEvent, from);

test('an answer grows with every piece and ends as the server says', () => {
  const growing = play([
    { type: 'RUN_STARTED' },
    text('TEXT_MESSAGE_START', 'm'),
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '你' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '好' },
  ]);
  expect(growing.answers).toMatchObject([{ text: '你好', isStreaming: true }]);
  expect(play([end('m', 'success', '你好！')], growing).answers).toMatchObject([
    { text: '你好！', isStreaming: false },
  ]);
});

test('an attempt that died in its answer leaves nothing of it behind', () => {
  const died = play([
    text('TEXT_MESSAGE_START', 'a'),
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'a', delta: '半句' },
    end('a', 'failed', ''),
    text('TEXT_MESSAGE_START', 'b'),
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'b', delta: '整句' },
    end('b', 'success', '整句'),
    { type: 'RUN_FINISHED' },
  ]);
  expect(died.answers.map((answer) => answer.text)).toEqual(['整句']);
  expect(died.phase).toBe('ended');
});

test('an interrupt is a wait for approval, and the next start ends the wait', () => {
  const interrupt = {
    id: 'c1',
    reason: 'tool_call',
    toolCallId: 'c1',
    metadata: { tool_name: 'calendar.delete', tool_call_args: { input: { event_id: 'e' } } },
  };
  const waiting = play([
    { type: 'RUN_STARTED' },
    { type: 'RUN_FINISHED', outcome: { type: 'interrupt', interrupts: [interrupt] } },
  ]);
  expect(waiting).toMatchObject({
    phase: 'waiting',
    approvals: [{ toolCallId: 'c1', toolName: 'calendar.delete', args: { input: { event_id: 'e' } } }],
  });
  expect(play([{ type: 'RUN_STARTED' }], waiting)).toMatchObject({ phase: 'running', approvals: [] });
});

test('only a result with a ui_schema becomes a card, and becomes it once', () => {
  const result = (toolCallId: string, card: boolean) => ({
    type: 'TOOL_CALL_RESULT',
    messageId: `m-${toolCallId}`,
    toolCallId,
    role: 'tool',
    content: '{}',
    stage: 'worker',
    tool_name: 'calendar.read',
    tool_call_id: toolCallId,
    tool_call_args: {},
    status: 'success',
    result: {},
    ...(card
      ? { ui_schema: { version: 1, kind: 'k', title: '日程', status: 'success', blocks: [], actions: [] } }
      : {}),
  });
  const view = play([result('a', false), result('b', true), result('b', true)]);
  expect(view.cards.map((card) => card.toolCallId)).toEqual(['b']);
  expect(view.tools.map((tool) => tool.isDone)).toEqual([true, true]);
});

test('an error ends the run with its code; what was being written is not shown as said', () => {
  const stopped = play([
    { type: 'RUN_STARTED' },
    text('TEXT_MESSAGE_START', 'm'),
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: '半句' },
    { type: 'RUN_ERROR', message: 'run canceled by user', code: 'RUN_CANCELED', error_id: 'e' },
  ]);
  expect(stopped).toMatchObject({ phase: 'ended', answers: [], failure: { code: 'RUN_CANCELED', errorId: 'e' } });
});
