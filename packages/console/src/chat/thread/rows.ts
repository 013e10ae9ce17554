import type { HistoryMessage, SuggestedAction, UiSchema, WireStage } from '@kith/protocol';
import type { Approval, RunFailure, RunView } from './run-view.ts';

/** A message that this page has sent and the history does not show yet. */
export interface PendingMessage {
  runId: string;
  messageId: string;
  text: string;
  fileIds: readonly string[];
  at: string;
  state: 'sending' | 'sent' | 'failed';
  error: string | null;
}

/** One line of the conversation, as the page draws it. */
export type Row =
  | {
      kind: 'user';
      key: string;
      runId: string | null;
      text: string;
      fileIds: readonly string[];
      at: string;
      delivery: 'sent' | 'sending' | 'queued' | 'failed';
      error: string | null;
    }
  /** What was done on the way to the answer, by the tools' names. */
  | { kind: 'steps'; key: string; tools: readonly string[] }
  | { kind: 'card'; key: string; toolName: string; schema: UiSchema }
  | {
      kind: 'answer';
      key: string;
      runId: string | null;
      text: string;
      isStreaming: boolean;
      isPartial: boolean;
      suggestions: readonly SuggestedAction[];
      at: string | null;
    }
  | { kind: 'memory'; key: string; text: string }
  | { kind: 'approval'; key: string; runId: string; approval: Approval }
  | { kind: 'failure'; key: string; runId: string; failure: RunFailure }
  /** What is going on right now. */
  | { kind: 'activity'; key: string; runId: string; step: WireStage | null; tool: string | null };

export interface Conversation {
  messages: readonly HistoryMessage[];
  pending: readonly PendingMessage[];
  runs: ReadonlyMap<string, RunView>;
}

interface Turn {
  runId: string | null;
  messages: HistoryMessage[];
  pending: PendingMessage | undefined;
}

/** The conversation as rows. What belongs to one run stays together, even where a next message was sent before its answer came. */
export function rowsOf(conversation: Conversation): Row[] {
  const runs = [...conversation.runs.values()];
  const next = runs.find(({ phase }) => phase === 'running') ?? runs.find(({ phase }) => phase === 'queued');
  return turnsOf(conversation).flatMap((turn) => {
    const run = conversation.runs.get(turn.runId ?? '');
    return rowsOfTurn(turn, run, run !== undefined && run.phase === 'queued' && run !== next && !hasBegun(turn, run));
  });
}

/** A run that waited for approval is queued for a moment once more, and is not a message in a queue. */
const hasBegun = ({ messages }: Turn, run: RunView): boolean =>
  run.tools.length > 0 || messages.some(({ role }) => role !== 'user');

function turnsOf({ messages, pending, runs }: Conversation): Turn[] {
  const turns = new Map<string, Turn>();
  for (const message of messages) {
    const id = message.run_id ?? message.id;
    const turn = turns.get(id);
    if (turn) turn.messages.push(message);
    else turns.set(id, { runId: message.run_id, messages: [message], pending: undefined });
  }
  for (const message of pending) {
    const turn = turns.get(message.runId);
    if (!turn) turns.set(message.runId, { runId: message.runId, messages: [], pending: message });
    else if (!turn.messages.some(({ role }) => role === 'user')) turn.pending = message;
  }
  for (const { runId, phase } of runs.values()) {
    // One that has ended and has no message here is further up, where nothing is loaded.
    if (phase !== 'ended' && !turns.has(runId)) turns.set(runId, { runId, messages: [], pending: undefined });
  }
  return [...turns.values()];
}

function rowsOfTurn({ messages, pending, runId }: Turn, run: RunView | undefined, isQueued: boolean): Row[] {
  const said = messages.filter(({ role }) => role === 'user');
  const rows: Row[] = said.map((message, index) => userRow(message, index === 0, isQueued));
  if (pending) rows.push(pendingRow(pending, isQueued));
  const tools = toolNames(messages, run);
  if (tools.length > 0) rows.push({ kind: 'steps', key: `steps:${runId}`, tools });
  rows.push(...cardRows(messages, run), ...answerRows(messages, run), ...memoryRows(messages));
  if (run) rows.push(...standingRows(run, isQueued));
  return rows;
}

function userRow(message: HistoryMessage, isFirst: boolean, isQueued: boolean): Row {
  return {
    kind: 'user',
    // The same before and after the server has given the message an id, so that the row stays the row.
    key: `user:${isFirst && message.run_id !== null ? message.run_id : message.id}`,
    runId: message.run_id,
    text: message.content,
    fileIds: message.metadata.type === 'user_input' ? (message.metadata.file_ids ?? none) : none,
    at: message.created_at,
    delivery: isQueued ? 'queued' : 'sent',
    error: null,
  };
}

const none: readonly never[] = [];

function pendingRow(message: PendingMessage, isQueued: boolean): Row {
  const delivered = isQueued ? 'queued' : 'sent';
  return {
    kind: 'user',
    key: `user:${message.runId}`,
    runId: message.runId,
    text: message.text,
    fileIds: message.fileIds,
    at: message.at,
    delivery: message.state === 'sent' ? delivered : message.state,
    error: message.error,
  };
}

function toolNames(messages: readonly HistoryMessage[], run: RunView | undefined): string[] {
  const names = new Map<string, string>();
  for (const { metadata } of messages) {
    if (metadata.type === 'tool_call') names.set(metadata.tool_call_id, metadata.tool_name);
  }
  for (const tool of run?.tools ?? []) names.set(tool.toolCallId, tool.name);
  return [...names.values()];
}

function cardRows(messages: readonly HistoryMessage[], run: RunView | undefined): Row[] {
  const cards = new Map<string, Row>();
  for (const { metadata } of messages) {
    if (metadata.type !== 'tool_result' || !metadata.ui_schema) continue;
    const { tool_call_id: id, tool_name: toolName, ui_schema: schema } = metadata;
    cards.set(id, { kind: 'card', key: `card:${id}`, toolName, schema });
  }
  for (const { toolCallId: id, toolName, schema } of run?.cards ?? []) {
    if (!cards.has(id)) cards.set(id, { kind: 'card', key: `card:${id}`, toolName, schema });
  }
  return [...cards.values()];
}

function answerRows(messages: readonly HistoryMessage[], run: RunView | undefined): Row[] {
  const rows = new Map<string, Row>();
  for (const { id, run_id: runId, content, metadata, created_at: at } of messages) {
    if (metadata.type !== 'assistant_output' || metadata.stage === 'memory' || content === '') continue;
    rows.set(id, {
      kind: 'answer',
      key: `answer:${id}`,
      runId,
      text: content,
      isStreaming: false,
      isPartial: metadata.status === 'partial_success',
      suggestions: metadata.suggested_actions ?? none,
      at,
    });
  }
  for (const answer of run?.answers ?? []) {
    if (rows.has(answer.messageId) || answer.text === '') continue;
    rows.set(answer.messageId, {
      kind: 'answer',
      key: `answer:${answer.messageId}`,
      runId: run?.runId ?? null,
      text: answer.text,
      isStreaming: answer.isStreaming,
      isPartial: answer.status === 'partial_success',
      suggestions: answer.suggestions,
      at: null,
    });
  }
  return [...rows.values()];
}

const memoryRows = (messages: readonly HistoryMessage[]): Row[] =>
  messages
    .filter(
      ({ metadata, content }) =>
        metadata.type === 'assistant_output' && metadata.stage === 'memory' && content.length > 0,
    )
    .map(({ id, content }) => ({ kind: 'memory', key: `memory:${id}`, text: content }));

/** How a run stands, under what it has said: what it is at, what it waits for, how it failed. */
function standingRows(run: RunView, isQueued: boolean): Row[] {
  const { runId, step } = run;
  const approvals = run.approvals.map((approval): Row => {
    return { kind: 'approval', key: `approval:${approval.toolCallId}`, runId, approval };
  });
  if (run.failure) return [...approvals, { kind: 'failure', key: `failure:${runId}`, runId, failure: run.failure }];
  const isWriting = run.answers.some((answer) => answer.isStreaming && answer.text !== '');
  const isActive = run.phase === 'running' || (run.phase === 'queued' && !isQueued);
  if (!isActive || isWriting) return approvals;
  const tool = run.tools.findLast(({ isDone }) => !isDone)?.name ?? null;
  return [...approvals, { kind: 'activity', key: `activity:${runId}`, runId, step, tool }];
}

/** Rows that did not change stay the same objects, so that nothing of them is drawn again. */
export function reuseRows(before: readonly Row[], after: readonly Row[]): readonly Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  const rows = after.map((row) => {
    const old = known.get(row.key);
    return old && isSame(old, row) ? old : row;
  });
  return rows.length === before.length && rows.every((row, index) => row === before[index]) ? before : rows;
}

function isSame(left: Row, right: Row): boolean {
  const values = new Map<string, unknown>(Object.entries(left));
  return Object.entries(right).every(([name, value]) => {
    const old = values.get(name);
    return old === value || (Array.isArray(old) && Array.isArray(value) && isSameList(old, value));
  });
}

const isSameList = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((value, index) => value === right[index]);
