import type { ExecutionResult } from '@kith/protocol';
import { writeMessage } from '../draft.ts';
import { plannerTools, readPlannerCalls } from '../planner-tools.ts';
import { plannerPrompt } from '../prompts.ts';
import { type Node, type RunServices, stageCall, usageOf } from '../services.ts';
import { append, asJson, type PlannerResult, type RunState } from '../state.ts';

/** One function-calling turn: its calls become `next`, or it finishes. */
export const plannerNode: Node = async (state, services) => {
  services.stream.step('worker');
  const call = await stageCall(state, services, 'TASK_EXECUTION', plannerPrompt(state, services));
  const outcome = await services.models.generate({ ...call, tools: plannerTools(state.input) });
  services.book(outcome.bookings);
  if (!outcome.ok) throw outcome.error;
  const { text, reasoning, toolCalls } = outcome.value;
  const said = { text, reasoning, tool_calls: toolCalls };
  const usage = usageOf(outcome.bookings);
  if (toolCalls.length === 0) {
    // A planner that simply answers has nothing more to do.
    return finish(
      state,
      services,
      { ...said, planned: [], execution: plainResult(text), output: 'output.reply' },
      usage,
    );
  }
  const read = readPlannerCalls(toolCalls, state.input);
  if (read.kind === 'finish') {
    const { output, ...execution } = read.finish;
    return finish(state, services, { ...said, planned: [], execution, output }, usage);
  }
  append(state, {
    node: 'planner',
    preparation: text,
    summary: read.planned.map((planned) => planned.tool_name).join(', '),
    result: asJson({ ...said, planned: read.planned } satisfies PlannerResult),
    usage,
    next: read.planned.map((planned) => `tool:${planned.tool_call_id}`),
  });
};

const plainResult = (text: string): ExecutionResult => ({
  status: 'SUCCESS',
  execution_summary: text,
  execution_data: {},
  report_brief: text,
});

async function finish(
  state: RunState,
  services: RunServices,
  result: PlannerResult & { execution: ExecutionResult },
  usage: ReturnType<typeof usageOf>,
): Promise<void> {
  append(state, {
    node: 'planner',
    summary: result.execution.execution_summary,
    result: asJson(result),
    usage,
    next: ['output'],
  });
  writeExecutionAudit(state, services, result.execution);
  await services.checkpoint({ announce: 'RESULT_REPORTING' });
}

export function writeExecutionAudit(state: RunState, services: RunServices, execution: ExecutionResult): void {
  writeMessage(services.draft, state.input.mode, 'audit', {
    id: services.newId(),
    role: 'assistant',
    content: JSON.stringify(execution),
    metadata: { type: 'assistant_output', stage: 'worker', execution },
  });
}
