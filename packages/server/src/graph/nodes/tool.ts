import type { JsonObject, ToolOutput } from '@kith/protocol';
import { ProjectCliArgs } from '@kith/protocol';
import type { Transaction } from '../../db/index.ts';
import { compileUiSchema } from '../../events/index.ts';
import type { SkillMethod } from '../../skills/index.ts';
import { writeMessage } from '../draft.ts';
import { PlanArgs, reasonOf } from '../planner-tools.ts';
import type { Node, RunServices } from '../services.ts';
import { append, asJson, outstandingCalls, type PlannedCall, type RunState } from '../state.ts';
import { runOf } from '../stream.ts';
import { makeTodos, readyTodos } from '../todos.ts';
import { askForApproval } from './approval.ts';
import { enabledSkills, methodOf, openCall, skillContext, toolCallRow } from './calls.ts';
import { type CallDecision, decisionOf } from './decisions.ts';

/** Runs one planned call. Its next is always reflection. */
export const toolNode: Node = async (state, services, toolCallId) => {
  const call = outstandingCalls(state).find((planned) => planned.tool_call_id === toolCallId);
  if (!call) return;
  services.stream.step('worker');
  if (call.kind === 'invalid')
    return keepResult(state, services, call, failed('INVALID_CALL', call.error ?? 'cannot be read'));
  if (call.kind === 'plan') return keepResult(state, services, call, layPlan(state, services, call.args));
  if (call.kind === 'client') return handToClient(state, services, call);
  return runSkill(state, services, call);
};

async function runSkill(state: RunState, services: RunServices, planned: PlannedCall): Promise<void> {
  const decision = decisionOf(state, planned.tool_call_id);
  const call = decision?.args ? { ...planned, args: { ...planned.args, input: decision.args } } : planned;
  const args = ProjectCliArgs.parse(call.args);
  if (decision && !decision.approved) return keepResult(state, services, call, rejected(decision));
  if (!decision && services.skills.needsApproval(args, state.user_context))
    return askForApproval(state, services, call);
  const method = services.skills.find(args.module, args.method);
  if (method?.effect === 'outside') return runOutside(state, services, call, method);
  const started = Date.now();
  await services.checkpoint({
    ...announcing(state),
    work: async (sql) => {
      const output = await withinSavepoint(sql, (inner) =>
        services.skills.call(args, skillContext(state, services, call, inner), enabledSkills(state, services)),
      );
      record(state, services, call, output, Date.now() - started);
    },
  });
}

/**
 * A tool elsewhere: its intent is kept before it is called. A restart that finds the intent without a result repeats the
 * call only where that is harmless; otherwise nobody knows what happened, and the planner is told so.
 */
async function runOutside(
  state: RunState,
  services: RunServices,
  call: PlannedCall,
  method: SkillMethod,
): Promise<void> {
  const args = ProjectCliArgs.parse(call.args);
  if (services.startedBefore(call.tool_call_id)) {
    if (!method.idempotent) return keepResult(state, services, call, unknownOutcome(), 'unknown');
  } else {
    openCall(state, services, call);
    services.draft.toolCalls.push(toolCallRow(call, 'started', null));
    await services.checkpoint();
  }
  const started = Date.now();
  const context = skillContext(state, services, call, undefined);
  const output = await services.skills.call(args, context, enabledSkills(state, services));
  services.signal.throwIfAborted();
  await keepResult(state, services, call, output, undefined, Date.now() - started);
}

async function keepResult(
  state: RunState,
  services: RunServices,
  call: PlannedCall,
  output: ToolOutput,
  status?: 'unknown',
  duration = 0,
): Promise<void> {
  record(state, services, call, output, duration, status);
  await services.checkpoint(announcing(state));
}

/** The planner is asked next, unless another call of the same plan is still out when this one is kept. */
const announcing = (state: RunState) => ({
  announce: () => (outstandingCalls(state).length === 0 ? ('TASK_EXECUTION' as const) : undefined),
});

/** Everything a result leaves behind: the action, the record, the messages, the events. */
function record(
  state: RunState,
  services: RunServices,
  call: PlannedCall,
  output: ToolOutput,
  duration: number,
  status?: 'unknown',
): void {
  const success = output.status !== 'failure';
  const changes = services.skills.find(...methodOf(call))?.effect !== 'read';
  const action = append(state, {
    node: 'tool',
    preparation: call.tool_name,
    summary: output.summary,
    result: asJson({ ...output, tool_call_id: call.tool_call_id, tool_name: call.tool_name }),
    context: { type: 'data', content: asJson(output.result), important: success && changes, usage_type: 'output' },
    relevance: success ? 0.8 : 0.3,
    next: ['reflection'],
  });
  services.draft.durations.set(action.id, duration);
  const ending = output.error?.code === 'REJECTED' ? 'rejected' : success ? 'succeeded' : 'failed';
  services.draft.toolCalls.push(toolCallRow(call, status ?? ending, asJson(output) as JsonObject));
  openCall(state, services, call);
  writeResult(state, services, call, output);
}

function writeResult(state: RunState, services: RunServices, call: PlannedCall, output: ToolOutput): void {
  const messageId = services.newId();
  const uiSchema = compileUiSchema(output);
  const facts = {
    tool_name: call.tool_name,
    tool_call_id: call.tool_call_id,
    tool_call_args: call.args,
    status: output.status,
    result: output.result,
    ...(output.error ? { error: output.error } : {}),
    ...(uiSchema ? { ui_schema: uiSchema } : {}),
  };
  const content = JSON.stringify({ status: output.status, result: output.result, error: output.error ?? null });
  services.draft.events.push({
    type: 'TOOL_CALL_RESULT',
    ...runOf(state),
    messageId,
    toolCallId: call.tool_call_id,
    role: 'tool',
    content,
    stage: 'worker',
    ...facts,
  });
  writeMessage(services.draft, state.input.mode, 'agent_output', {
    id: messageId,
    role: 'tool',
    content,
    metadata: { type: 'tool_result', stage: 'worker', ...facts },
  });
}

async function handToClient(state: RunState, services: RunServices, call: PlannedCall): Promise<void> {
  openCall(state, services, call);
  services.draft.toolCalls.push({ ...toolCallRow(call, 'started', null), module: 'client', method: call.tool_name });
  append(state, {
    node: 'client_tool',
    preparation: call.tool_name,
    summary: `asks the client for ${call.tool_name}`,
    result: { tool_call_id: call.tool_call_id },
    next: ['reflection'],
  });
}

function layPlan(state: RunState, services: RunServices, args: JsonObject): ToolOutput {
  const parsed = PlanArgs.safeParse(args);
  if (!parsed.success) return failed('INPUT_INVALID', reasonOf(parsed.error));
  const graph = makeTodos(parsed.data.todos);
  if (!graph.ok) return failed('PLAN_INVALID', `${graph.message}: ${graph.ids.join(', ')}`);
  state.todos = graph.todos;
  if (parsed.data.output_style) state.output_style = parsed.data.output_style;
  if (parsed.data.output_structure) {
    state.output_structure = parsed.data.output_structure.map((entry) => ({ ...entry, content: '' }));
  }
  const ready = readyTodos(state.todos, services.now()).map((todo) => todo.id);
  return { status: 'success', summary: `${graph.todos.length} todos`, result: { todos: graph.todos.length, ready } };
}

/** A failed method leaves nothing behind, whatever it had begun. */
async function withinSavepoint(sql: Transaction, run: (sql: Transaction) => Promise<ToolOutput>): Promise<ToolOutput> {
  let output: ToolOutput | undefined;
  try {
    await sql.savepoint(async (inner) => {
      output = await run(inner);
      if (output.status === 'failure') throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return output ?? failed('NO_RESULT', 'the tool gave no result');
}
class RolledBack extends Error {}

const failed = (code: string, message: string): ToolOutput => ({
  status: 'failure',
  summary: message,
  result: {},
  error: { code, message },
});

const rejected = (decision: CallDecision): ToolOutput =>
  failed(
    'REJECTED',
    decision.reason ? `the user said no: ${decision.reason}` : 'the user said no; do not try it again',
  );

const unknownOutcome = (): ToolOutput =>
  failed(
    'OUTCOME_UNKNOWN',
    'the process ended while this tool was at work: it may or may not have taken effect; check before trying again',
  );
