import type { KithEvent, SuggestedAction } from '@kith/protocol';
import type { OpenSpans } from '../events/index.ts';
import type { ModelCallRow } from '../models/index.ts';
import type { RunState } from './state.ts';
import { wireUsageOf } from './usage.ts';

/** The run's voice: well-formed steps, texts and reasoning, said as they come. */
export interface RunStream {
  step(name: 'router' | 'worker' | 'memory'): void;
  endStep(name: 'router' | 'worker' | 'memory'): KithEvent[];
  /** A text whose deltas are said as they come; `end` gives the closing events for the checkpoint. */
  text(messageId: string): TextStream;
}

export interface TextStream {
  onText(delta: string): void;
  onReasoning(delta: string): void;
  /** How much was said so far: a text that was begun must be finished with the same words. */
  readonly said: string;
  end(answer: FinalText): KithEvent[];
}

export interface FinalText {
  answer: string;
  status: 'success' | 'partial_success' | 'failed';
  suggestedActions: SuggestedAction[];
  bookings: readonly ModelCallRow[];
}

export const runOf = (state: RunState) => ({ threadId: state.identity.threadId, runId: state.identity.runId });

export function createRunStream(state: RunState, spans: OpenSpans, say: (event: KithEvent) => void): RunStream {
  const run = runOf(state);
  return {
    step(name) {
      if (!spans.steps.has(name)) say({ type: 'STEP_STARTED', ...run, stepName: name });
    },
    endStep: (name) => (spans.steps.has(name) ? [{ type: 'STEP_FINISHED', ...run, stepName: name }] : []),
    text(messageId) {
      const reasoningId = `${messageId}-reasoning`;
      let said = '';
      const closeReasoning = (): KithEvent[] =>
        spans.reasoning.has(reasoningId)
          ? [
              { type: 'REASONING_MESSAGE_END', ...run, messageId: reasoningId },
              { type: 'REASONING_END', ...run, messageId: reasoningId },
            ]
          : [];
      const openText = (): KithEvent[] =>
        spans.texts.has(messageId)
          ? []
          : [{ type: 'TEXT_MESSAGE_START', ...run, messageId, role: 'assistant', stage: 'worker' }];
      return {
        get said() {
          return said;
        },
        onReasoning(delta) {
          if (delta === '' || spans.texts.has(messageId)) return;
          if (!spans.reasoning.has(reasoningId)) {
            say({ type: 'REASONING_START', ...run, messageId: reasoningId });
            say({ type: 'REASONING_MESSAGE_START', ...run, messageId: reasoningId, role: 'reasoning' });
          }
          say({ type: 'REASONING_MESSAGE_CONTENT', ...run, messageId: reasoningId, delta });
        },
        onText(delta) {
          if (delta === '') return;
          for (const event of [...closeReasoning(), ...openText()]) say(event);
          said += delta;
          say({ type: 'TEXT_MESSAGE_CONTENT', ...run, messageId, delta });
        },
        end(final) {
          const rest = final.answer.startsWith(said) ? final.answer.slice(said.length) : '';
          return [
            ...closeReasoning(),
            ...openText(),
            ...(rest ? [{ type: 'TEXT_MESSAGE_CONTENT', ...run, messageId, delta: rest } as const] : []),
            {
              type: 'TEXT_MESSAGE_END',
              ...run,
              messageId,
              role: 'assistant',
              stage: 'worker',
              status: final.status,
              answer: final.answer,
              suggested_actions: final.suggestedActions,
              ...wireUsageOf(final.bookings),
            },
          ];
        },
      };
    },
  };
}
