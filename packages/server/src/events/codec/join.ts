import type { HistoryMessage, KithEvent } from '@kith/protocol';
import { noSpans, type OpenSpans, track } from '../spans.ts';
import { type RunName, type TranscriptMessage, transcriptOfEvents, transcriptOfHistory } from './transcript.ts';

const snapshotOf = (run: RunName, messages: readonly TranscriptMessage[]): KithEvent => ({
  type: 'MESSAGES_SNAPSHOT',
  ...run,
  messages: [...messages],
});

/** The conversation as the history has it, for clients that must forget what they hold. */
export function messagesSnapshot({ threadId, runId }: RunName, history: readonly HistoryMessage[]): KithEvent {
  const run = { threadId, runId };
  return snapshotOf(run, transcriptOfHistory(history, run));
}

/**
 * How a client joins a run under way: it starts, the conversation so far with the half-said text replaces whatever the client
 * has, and what is open is opened again. Then the live tail follows as if the client had been there from the beginning.
 */
export function joinPrelude(
  run: RunName,
  history: readonly HistoryMessage[],
  soFar: readonly KithEvent[],
): KithEvent[] {
  const spans = noSpans();
  for (const event of soFar) track(spans, event);
  // The history may be behind the events of a run, never ahead of its own user message.
  const before = history.filter((message) => message.run_id !== run.runId || message.role === 'user');
  const messages = [...transcriptOfHistory(before, run), ...transcriptOfEvents(soFar)];
  return [{ type: 'RUN_STARTED', ...run }, snapshotOf(run, messages), ...reopenings(spans, run)];
}

function reopenings(spans: OpenSpans, run: RunName): KithEvent[] {
  return [
    ...[...spans.steps].map((stepName): KithEvent => ({ type: 'STEP_STARTED', ...run, stepName })),
    ...[...spans.reasoning].map((messageId): KithEvent => ({ type: 'REASONING_START', ...run, messageId })),
    ...[...spans.reasoningMessages].map(
      (messageId): KithEvent => ({ type: 'REASONING_MESSAGE_START', ...run, messageId, role: 'reasoning' }),
    ),
    ...[...spans.texts].map(
      (messageId): KithEvent => ({ type: 'TEXT_MESSAGE_START', ...run, messageId, role: 'assistant', stage: 'worker' }),
    ),
    ...[...spans.toolCalls].map(
      ([toolCallId, call]): KithEvent => ({ type: 'TOOL_CALL_START', ...run, ...call, toolCallId, stage: 'worker' }),
    ),
  ];
}
