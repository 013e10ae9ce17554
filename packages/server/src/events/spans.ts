import type { KithEvent } from '@kith/protocol';

/** What a run's stream has opened and not yet closed: so that it can always be ended legally. */
export interface OpenSpans {
  steps: Set<'router' | 'worker' | 'memory'>;
  texts: Set<string>;
  reasoning: Set<string>;
  reasoningMessages: Set<string>;
  toolCalls: Map<string, { messageId: string; toolCallName: string }>;
}

export const noSpans = (): OpenSpans => ({
  steps: new Set(),
  texts: new Set(),
  reasoning: new Set(),
  reasoningMessages: new Set(),
  toolCalls: new Map(),
});

/** Follows the stream: call it with every event, in order. */
export function track(spans: OpenSpans, event: KithEvent): void {
  switch (event.type) {
    case 'STEP_STARTED':
      spans.steps.add(event.stepName);
      break;
    case 'STEP_FINISHED':
      spans.steps.delete(event.stepName);
      break;
    case 'TEXT_MESSAGE_START':
      spans.texts.add(event.messageId);
      break;
    case 'TEXT_MESSAGE_END':
      spans.texts.delete(event.messageId);
      break;
    case 'REASONING_START':
      spans.reasoning.add(event.messageId);
      break;
    case 'REASONING_MESSAGE_START':
      spans.reasoningMessages.add(event.messageId);
      break;
    case 'REASONING_MESSAGE_END':
      spans.reasoningMessages.delete(event.messageId);
      break;
    case 'REASONING_END':
      spans.reasoning.delete(event.messageId);
      break;
    case 'TOOL_CALL_START':
      spans.toolCalls.set(event.toolCallId, { messageId: event.messageId, toolCallName: event.toolCallName });
      break;
    case 'TOOL_CALL_END':
      spans.toolCalls.delete(event.toolCallId);
      break;
    case 'RUN_STARTED':
    case 'RUN_FINISHED':
    case 'RUN_ERROR':
      Object.assign(spans, noSpans());
      break;
    default:
      break;
  }
}

/** The events that close everything that is open, innermost first. A text cut short is marked as failed, without an answer. */
export function closings(spans: OpenSpans, run: { threadId: string; runId: string }): KithEvent[] {
  return [
    ...[...spans.toolCalls].map(
      ([toolCallId, call]): KithEvent => ({ type: 'TOOL_CALL_END', ...run, ...call, toolCallId, stage: 'worker' }),
    ),
    ...[...spans.reasoningMessages].map(
      (messageId): KithEvent => ({ type: 'REASONING_MESSAGE_END', ...run, messageId }),
    ),
    ...[...spans.reasoning].map((messageId): KithEvent => ({ type: 'REASONING_END', ...run, messageId })),
    ...[...spans.texts].map(
      (messageId): KithEvent => ({
        type: 'TEXT_MESSAGE_END',
        ...run,
        messageId,
        role: 'assistant',
        stage: 'worker',
        status: 'failed',
        answer: '',
        suggested_actions: [],
        error: 'interrupted',
      }),
    ),
    ...[...spans.steps].map((stepName): KithEvent => ({ type: 'STEP_FINISHED', ...run, stepName })),
  ];
}
