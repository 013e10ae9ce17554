import type { HistoryMessage, MessageMetadata } from '@kith/protocol';
import { expect, test } from 'vitest';
import { reuseRows, rowsOf } from './rows.ts';
import { newRunView, type RunView } from './run-view.ts';

const message = (seq: number, runId: string, content: string, metadata: MessageMetadata): HistoryMessage => ({
  id: `m${seq}`,
  seq,
  run_id: runId,
  role: metadata.type === 'user_input' ? 'user' : metadata.type === 'tool_result' ? 'tool' : 'assistant',
  content,
  metadata,
  input_tokens: null,
  output_tokens: null,
  cost: null,
  currency: 'CNY',
  created_at: '2026-11-16T00:00:00Z',
});
const said = (seq: number, runId: string) => message(seq, runId, `问 ${runId}`, { type: 'user_input' });
const answered = (seq: number, runId: string) =>
  message(seq, runId, `答 ${runId}`, { type: 'assistant_output', stage: 'worker' });
const views = (...runs: RunView[]) => new Map(runs.map((run) => [run.runId, run]));
const pending = (runId: string) => ({
  runId,
  messageId: 'x',
  text: `问 ${runId}`,
  fileIds: [],
  at: '2026-11-16T00:00:00Z',
  state: 'sent' as const,
  error: null,
});

test('a message that was sent before the answer to the one before it stands after that answer', () => {
  const rows = rowsOf({ messages: [said(1, 'a'), said(2, 'b'), answered(3, 'a')], pending: [], runs: new Map() });
  expect(rows.map((row) => row.key)).toEqual(['user:a', 'answer:m3', 'user:b']);
});

test('a second message is queued; the one under way is not, nor one that is only about to begin', () => {
  const rows = rowsOf({
    messages: [],
    pending: [pending('a'), pending('b')],
    runs: views(newRunView('a', 'running'), newRunView('b', 'queued')),
  });
  expect(rows.flatMap((row) => (row.kind === 'user' ? [row.delivery] : []))).toEqual(['sent', 'queued']);
  const alone = rowsOf({ messages: [], pending: [pending('a')], runs: views(newRunView('a', 'queued')) });
  expect(alone.map((row) => row.kind)).toEqual(['user', 'activity']);
});

test('a row keeps its key when the history takes over from what the page has sent', () => {
  const before = rowsOf({ messages: [], pending: [pending('a')], runs: views(newRunView('a', 'running')) });
  const after = rowsOf({ messages: [said(1, 'a')], pending: [], runs: views(newRunView('a', 'running')) });
  expect(after[0]?.key).toBe(before[0]?.key);
});

test('what the events and the history both tell is shown once', () => {
  const run: RunView = {
    ...newRunView('a', 'running'),
    answers: [{ messageId: 'm2', text: '答 a', isStreaming: false, status: 'success', suggestions: [] }],
  };
  const rows = rowsOf({ messages: [said(1, 'a'), answered(2, 'a')], pending: [], runs: views(run) });
  expect(rows.filter((row) => row.kind === 'answer')).toHaveLength(1);
});

test('a failed run whose messages are not loaded is not shown at the end', () => {
  const failed: RunView = { ...newRunView('old', 'ended'), failure: { code: 'X', message: '', errorId: null } };
  expect(rowsOf({ messages: [said(9, 'b')], pending: [], runs: views(failed) }).map((row) => row.key)).toEqual([
    'user:b',
  ]);
});

test('rows that did not change are the same objects, and a list of them is the same list', () => {
  const conversation = { messages: [said(1, 'a'), answered(2, 'a')], pending: [], runs: new Map() };
  const first = rowsOf(conversation);
  expect(reuseRows(first, rowsOf(conversation))).toBe(first);
  const longer = reuseRows(first, rowsOf({ ...conversation, messages: [...conversation.messages, said(3, 'b')] }));
  expect(longer.slice(0, 2)).toEqual(first);
  expect(longer[0]).toBe(first[0]);
});
