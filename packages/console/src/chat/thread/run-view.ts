import type {
  Interrupt,
  JsonObject,
  KithEvent,
  RunDetail,
  RunOutcome,
  SuggestedAction,
  UiBlock,
  UiSchema,
  WireStage,
} from '@kith/protocol';

/** A call that waits for a person. */
export interface Approval {
  toolCallId: string;
  toolName: string;
  args: JsonObject;
  expiresAt: string | null;
  /** What it would do, where that could be found out. */
  preview: readonly UiBlock[];
}

export interface AnswerView {
  messageId: string;
  text: string;
  isStreaming: boolean;
  status: 'success' | 'partial_success' | 'failed';
  suggestions: readonly SuggestedAction[];
}

export interface CardView {
  messageId: string;
  toolCallId: string;
  toolName: string;
  schema: UiSchema;
}

export interface RunFailure {
  /** `RUN_CANCELED` where a person stopped it. */
  code: string;
  message: string;
  errorId: string | null;
}

/** A run as its events tell it, from the first to the latest. */
export interface RunView {
  runId: string;
  phase: 'queued' | 'running' | 'waiting' | 'ended';
  step: WireStage | null;
  /** Calls in the order they began: what was done, by name. */
  tools: readonly { toolCallId: string; name: string; isDone: boolean }[];
  cards: readonly CardView[];
  answers: readonly AnswerView[];
  approvals: readonly Approval[];
  failure: RunFailure | null;
}

export const newRunView = (runId: string, phase: RunView['phase'] = 'queued'): RunView => ({
  runId,
  phase,
  step: null,
  tools: [],
  cards: [],
  answers: [],
  approvals: [],
  failure: null,
});

/** What the run looks like after one more event. */
export function applyEvent(view: RunView, event: KithEvent): RunView {
  switch (event.type) {
    case 'RUN_STARTED':
      return { ...view, phase: 'running', approvals: [], failure: null };
    case 'RUN_FINISHED':
      return finished(view, event.outcome);
    case 'RUN_ERROR': {
      const failure = { code: event.code ?? 'INTERNAL', message: event.message, errorId: event.error_id ?? null };
      return { ...settled(view), failure };
    }
    case 'STEP_STARTED':
      return { ...view, step: event.stepName };
    case 'STEP_FINISHED':
      return { ...view, step: view.step === event.stepName ? null : view.step };
    case 'TOOL_CALL_START':
      return withTool(view, event.toolCallId, event.toolCallName, false);
    case 'TOOL_CALL_RESULT':
      return withResult(withTool(view, event.toolCallId, event.tool_name, true), event);
    default:
      return applyText(view, event);
  }
}

function applyText(view: RunView, event: KithEvent): RunView {
  switch (event.type) {
    case 'TEXT_MESSAGE_START':
      return withAnswer(view, { ...newAnswer(event.messageId), isStreaming: true });
    case 'TEXT_MESSAGE_CONTENT': {
      const answer = view.answers.find(({ messageId }) => messageId === event.messageId) ?? {
        ...newAnswer(event.messageId),
        isStreaming: true,
      };
      return withAnswer(view, { ...answer, text: answer.text + event.delta });
    }
    case 'TEXT_MESSAGE_END': {
      const { messageId, status, answer, suggested_actions: suggestions } = event;
      // An attempt that died in the middle of its answer: what was shown of it was never said.
      if (status === 'failed' && answer === '') return withoutAnswer(view, messageId);
      return withAnswer(view, { messageId, text: answer, isStreaming: false, status, suggestions });
    }
    default:
      return view;
  }
}

const newAnswer = (messageId: string): AnswerView => ({
  messageId,
  text: '',
  isStreaming: false,
  status: 'success',
  suggestions: [],
});

function withAnswer(view: RunView, answer: AnswerView): RunView {
  const place = view.answers.findIndex(({ messageId }) => messageId === answer.messageId);
  const answers = place === -1 ? [...view.answers, answer] : view.answers.with(place, answer);
  return { ...view, answers };
}

const withoutAnswer = (view: RunView, gone: string): RunView => ({
  ...view,
  answers: view.answers.filter(({ messageId }) => messageId !== gone),
});

function withTool(view: RunView, toolCallId: string, name: string, isDone: boolean): RunView {
  const place = view.tools.findIndex((tool) => tool.toolCallId === toolCallId);
  const tool = { toolCallId, name, isDone };
  return { ...view, tools: place === -1 ? [...view.tools, tool] : view.tools.with(place, tool) };
}

function withResult(view: RunView, event: KithEvent & { type: 'TOOL_CALL_RESULT' }): RunView {
  const approvals = view.approvals.filter(({ toolCallId }) => toolCallId !== event.toolCallId);
  // The card comes from `ui_schema` and from nothing else; a result without one stays out of the conversation.
  if (!event.ui_schema || view.cards.some((card) => card.toolCallId === event.toolCallId))
    return { ...view, approvals };
  const { messageId, toolCallId, tool_name: toolName, ui_schema: schema } = event;
  return { ...view, approvals, cards: [...view.cards, { messageId, toolCallId, toolName, schema }] };
}

function finished(view: RunView, outcome: RunOutcome | undefined): RunView {
  if (outcome?.type !== 'interrupt') return settled(view);
  return { ...view, phase: 'waiting', step: null, approvals: outcome.interrupts.map(toApproval) };
}

/** Whatever happened, nothing of an ended run goes on: an answer that never ended is not shown as one being written. */
const settled = (view: RunView): RunView => ({
  ...view,
  phase: 'ended',
  step: null,
  approvals: [],
  answers: view.answers.filter((answer) => !answer.isStreaming),
});

function toApproval(interrupt: Interrupt): Approval {
  const { tool_name, tool_call_args, preview } = interrupt.metadata ?? {};
  return {
    toolCallId: interrupt.toolCallId ?? interrupt.id,
    toolName: tool_name ?? interrupt.message ?? '',
    args: tool_call_args ?? {},
    expiresAt: interrupt.expiresAt ?? null,
    preview: preview ?? [],
  };
}

/** What waits, as a run's detail tells it: a page that was loaded anew has seen no event. */
export const approvalsOf = (detail: RunDetail): Approval[] =>
  detail.tool_calls
    .filter((call) => call.status === 'awaiting_approval')
    .map((call) => ({
      toolCallId: call.tool_call_id,
      toolName: call.tool_name,
      args: call.args,
      expiresAt: call.expires_at,
      preview: call.preview ?? [],
    }));
