import { IntentResult, type SuggestedAction } from '@kith/protocol';
import { writeMessage } from '../draft.ts';
import { routerPrompt } from '../prompts.ts';
import { type Node, type RunServices, stageCall, usageOf } from '../services.ts';
import { append, asJson, type RunState } from '../state.ts';
import type { TextStream } from '../stream.ts';
import { wireUsageOf } from '../usage.ts';
import { mayRemember } from './background.ts';

/** The intent stage: answers small things itself, streaming, and hands everything else over with a brief. */
export const routerNode: Node = async (state, services) => {
  services.stream.step('router');
  const messageId = services.newId();
  const text = services.stream.text(messageId);
  const call = await stageCall(state, services, 'INTENT_RECOGNITION', routerPrompt(state, services));
  const outcome = await services.models.structured(
    { ...call, onText: text.onText, onReasoning: text.onReasoning },
    {
      name: 'IntentResult',
      schema: IntentResult,
      streamField: 'assistant_text',
      streamWhen: (partial) => partial.route === 'DIRECT_EXECUTION',
      announce: (callId) => services.announceRepair(callId, 'INTENT_RECOGNITION'),
    },
  );
  services.book(outcome.bookings);
  if (!outcome.ok) throw outcome.error;
  const intent = outcome.value.value;
  if (intent.scenario) state.scenario = intent.scenario;
  state.task_goal = intent.intent_summary;
  const direct = intent.route === 'DIRECT_EXECUTION';
  append(state, {
    node: 'router',
    summary: intent.intent_summary,
    result: asJson(intent),
    usage: usageOf(outcome.bookings),
    next: direct ? [afterAnswer(state, services)] : ['planner'],
  });
  if (direct) return answerDirectly(state, services, intent, messageId, text);
  return handOver(state, services, intent);
};

function answerDirectly(
  state: RunState,
  services: RunServices,
  intent: IntentResult,
  messageId: string,
  text: TextStream,
): void {
  sayAnswer(state, services, {
    messageId,
    text,
    answer: intent.assistant_text ?? '',
    status: 'success',
    suggestedActions: [],
    stage: 'router',
  });
  writeAudit(state, services, intent);
  services.draft.events.push(...services.stream.endStep('router'));
}

async function handOver(state: RunState, services: RunServices, intent: IntentResult): Promise<void> {
  writeAudit(state, services, intent);
  services.draft.events.push(...services.stream.endStep('router'));
  await services.checkpoint({ announce: 'TASK_EXECUTION' });
}

function writeAudit(state: RunState, services: RunServices, intent: IntentResult): void {
  writeMessage(services.draft, state.input.mode, 'audit', {
    id: services.newId(),
    role: 'assistant',
    content: JSON.stringify(intent),
    metadata: { type: 'assistant_output', stage: 'router', intent },
  });
}

export interface Answer {
  messageId: string;
  text: TextStream;
  answer: string;
  status: 'success' | 'partial_success' | 'failed';
  suggestedActions: SuggestedAction[];
  stage: 'router' | 'worker';
}

/** The answer's closing events and its message; both are kept by the next checkpoint. */
export function sayAnswer(state: RunState, services: RunServices, answer: Answer): void {
  const { messageId, text, suggestedActions, status, stage } = answer;
  services.draft.events.push(
    ...text.end({ answer: answer.answer, status, suggestedActions, bookings: state.bookings }),
  );
  writeMessage(services.draft, state.input.mode, 'agent_output', {
    id: messageId,
    role: 'assistant',
    content: answer.answer,
    metadata: {
      type: 'assistant_output',
      stage,
      status,
      ...(suggestedActions.length > 0 ? { suggested_actions: suggestedActions } : {}),
      cost_source: wireUsageOf(state.bookings).costSource,
      usage: services.usageSummary(),
    },
  });
}

/** Learning comes after the answer, where there may be something to learn. */
export function afterAnswer(state: RunState, services: RunServices): 'learn' | 'end' {
  const worthwhile =
    state.input.mode === 'chat' && services.memoryLearning && services.worthLearning(state.input.prompt);
  return worthwhile && mayRemember(state, services) ? 'learn' : 'end';
}
