import type { ModelCallDetail, RunDetail, ToolCallDetail } from '@kith/protocol';
import { addDecimals } from './decimal.ts';

export type RunAction = RunDetail['actions'][number];

/** One thing that a run did: an action with the calls behind it, or a call that has no action yet. */
export interface Step {
  key: string;
  node: string;
  action: RunAction | undefined;
  toolCall: ToolCallDetail | undefined;
  modelCalls: ModelCallDetail[];
  /** Milliseconds since the epoch; `to` is open while it is under way. */
  from: number;
  to: number | undefined;
  tokens: number;
  /** Null: not known. Undefined: no model was asked. */
  cost: string | null | undefined;
  hasFailed: boolean;
}

const AGENT_OF: Readonly<Record<string, string>> = {
  memory: 'EMBEDDING',
  router: 'INTENT_RECOGNITION',
  planner: 'TASK_EXECUTION',
  reflection: 'TASK_EXECUTION',
  output: 'RESULT_REPORTING',
  learn: 'MEMORY',
};

const time = (instant: string): number => Date.parse(instant);
const tokensOf = (call: ModelCallDetail): number => (call.input_tokens ?? 0) + (call.output_tokens ?? 0);

/** Actions in order, each with its calls; then the calls that no action has told of yet. */
export function stepsOf(run: RunDetail): Step[] {
  const left = [...run.model_calls];
  const unclaimed = new Map(run.tool_calls.map((call) => [call.tool_call_id, call]));
  const steps = run.actions.map((action) => {
    const toolCall = claimToolCall(action, unclaimed);
    return stepOf(action, toolCall, claimModelCalls(action, left));
  });
  const waiting = [...unclaimed.values()].map((call) => toolStep(call));
  const open = [...waiting, ...left.map(callStep)].toSorted((one, other) => one.from - other.from);
  return inTime([...steps, ...open]);
}

/**
 * An action is dated by the checkpoint that kept it, and several share one. Where no call says when it really was, it
 * was not after what it led to.
 */
function inTime(steps: readonly Step[]): Step[] {
  let latest = Infinity;
  return steps
    .toReversed()
    .map((step) => {
      const isDated = step.modelCalls.length > 0 || step.toolCall !== undefined;
      const from = isDated ? step.from : Math.min(step.from, latest);
      latest = Math.min(latest, from);
      return isDated ? step : { ...step, from, to: from };
    })
    .toReversed();
}

function claimToolCall(action: RunAction, unclaimed: Map<string, ToolCallDetail>): ToolCallDetail | undefined {
  const { result } = action;
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return undefined;
  const id = result.tool_call_id;
  const call = typeof id === 'string' ? unclaimed.get(id) : undefined;
  if (call && action.node !== 'approval') unclaimed.delete(call.tool_call_id);
  return call;
}

/** An action counts the tokens of its calls: those of its agent, in order, until the count is reached. */
function claimModelCalls(action: RunAction, left: ModelCallDetail[]): ModelCallDetail[] {
  const agent = AGENT_OF[action.node];
  const claimed: ModelCallDetail[] = [];
  let missing = action.usage.total_tokens;
  while (agent && missing > 0) {
    const index = left.findIndex((call) => call.agent_type === agent && call.status !== 'started');
    const [call] = index < 0 ? [] : left.splice(index, 1);
    if (!call) break;
    claimed.push(call);
    missing -= tokensOf(call);
  }
  return claimed;
}

function stepOf(action: RunAction, toolCall: ToolCallDetail | undefined, modelCalls: ModelCallDetail[]): Step {
  const [first] = modelCalls;
  const last = modelCalls.at(-1);
  const at = time(action.at);
  const from = first ? time(first.started_at) : toolCall && action.node !== 'approval' ? time(toolCall.started_at) : at;
  const to = last ? time(last.started_at) + (last.latency_ms ?? 0) : from + (action.duration_ms ?? 0);
  return {
    key: `action-${action.id}`,
    node: action.node,
    action,
    toolCall,
    modelCalls,
    from,
    to,
    tokens: action.usage.total_tokens,
    cost: costOf(modelCalls),
    hasFailed: isFailure(action.result) || modelCalls.some(({ status }) => status === 'failed' || status === 'lost'),
  };
}

function toolStep(call: ToolCallDetail): Step {
  return {
    key: `tool-${call.tool_call_id}`,
    node: 'tool',
    action: undefined,
    toolCall: call,
    modelCalls: [],
    from: time(call.started_at),
    to: call.finished_at === null ? undefined : time(call.finished_at),
    tokens: 0,
    cost: undefined,
    hasFailed: call.status === 'failed' || call.status === 'unknown',
  };
}

function callStep(call: ModelCallDetail): Step {
  return {
    key: `call-${call.id}`,
    node: 'call',
    action: undefined,
    toolCall: undefined,
    modelCalls: [call],
    from: time(call.started_at),
    to: call.status === 'started' ? undefined : time(call.started_at) + (call.latency_ms ?? 0),
    tokens: tokensOf(call),
    cost: costOf([call]),
    hasFailed: call.status === 'failed' || call.status === 'lost',
  };
}

const costOf = (calls: readonly ModelCallDetail[]): string | null | undefined =>
  calls.length === 0 ? undefined : addDecimals(calls.map(({ cost }) => cost));

function isFailure(result: RunAction['result']): boolean {
  return typeof result === 'object' && result !== null && !Array.isArray(result) && result.status === 'failure';
}
