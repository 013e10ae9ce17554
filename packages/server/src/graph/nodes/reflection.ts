import { type ExecutionResult, type Todo, TodoVerdict } from '@kith/protocol';
import { speaksChinese } from '../language.ts';
import { limitReached, type Stop } from '../limits.ts';
import { verdictPrompt } from '../prompts.ts';
import { type Node, type RunServices, stageCall, usageOf } from '../services.ts';
import {
  append,
  asJson,
  outstandingCalls,
  plansOf,
  type RunState,
  type ToolActionResult,
  toolResultsOf,
} from '../state.ts';
import { blockedTodos, completeTodo, failTodo } from '../todos.ts';
import { clientCalls, openApprovals } from './decisions.ts';
import { writeExecutionAudit } from './planner.ts';

/** How often the very same call may be made in a turn before it counts as a loop. */
const MAX_REPEATS = 3;

/** Looks at what came back, by rules first, and says where to go: on with a call, back to the planner, or to the end. */
export const reflectionNode: Node = async (state, services) => {
  services.stream.step('worker');
  const usage = await judgeTodos(state, services);
  const waiting = new Set([...openApprovals(state).map((asked) => asked.tool_call_id), ...unansweredByClient(state)]);
  const ready = outstandingCalls(state).filter((call) => !waiting.has(call.tool_call_id));
  const go = (summary: string, next: string[], result: object = {}) =>
    append(state, { node: 'reflection', summary, result: asJson(result), usage, next });
  if (ready.length > 0) {
    // A plan that was cut short, by a crash or by a decision that has now been made.
    go(
      `${ready.length} calls are still to be made`,
      ready.map((call) => `tool:${call.tool_call_id}`),
    );
    return;
  }
  if (waiting.size > 0) {
    go(`waits for ${waiting.size} answers`, ['pause']);
    return;
  }
  const stop = limitReached(state, services) ?? loopOf(state);
  if (!stop) {
    go('goes on', ['planner']);
    return;
  }
  const execution = endWith(stop, state);
  go(stop.en, ['output'], { execution });
  writeExecutionAudit(state, services, execution);
};

/** What is known so far, said to be incomplete. */
function endWith(stop: Stop, state: RunState): ExecutionResult {
  const chinese = speaksChinese(state);
  const done = toolResultsOf(state).filter(({ result }) => result.status !== 'failure');
  return {
    status: done.length > 0 ? 'PARTIAL' : 'FAILED',
    execution_summary: stop.en,
    execution_data: { stopped: stop.code },
    report_brief: done.map(({ result }) => result.summary).join('; '),
    error_message: chinese ? stop.zh : stop.en,
  };
}

const unansweredByClient = (state: RunState): string[] => {
  const outstanding = new Set(outstandingCalls(state).map((call) => call.tool_call_id));
  return clientCalls(state).filter((id) => outstanding.has(id));
};

/** The same call with the same arguments, again and again, leads nowhere. */
function loopOf(state: RunState): Stop | undefined {
  const counts = new Map<string, number>();
  for (const call of plansOf(state).flatMap(({ result }) => result.planned)) {
    const key = `${call.tool_name} ${JSON.stringify(call.args)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > MAX_REPEATS)
      return {
        code: 'LOOP',
        zh: `${call.tool_name} 以相同的参数调用了 ${count} 次`,
        en: `${call.tool_name} was called ${count} times with the same arguments`,
      };
  }
  return undefined;
}

/** Brings the todos up to date with the results since the last reflection. Asks a model only where rules cannot judge. */
async function judgeTodos(state: RunState, services: RunServices) {
  const since = state.actions.findLast((action) => action.node === 'reflection')?.id ?? 0;
  const bookings = [];
  const calls = new Map(
    plansOf(state).flatMap(({ result }) => result.planned.map((call) => [call.tool_call_id, call])),
  );
  for (const { action, result } of toolResultsOf(state).filter((each) => each.action.id > since)) {
    const todoId = calls.get(result.tool_call_id)?.todo_id;
    const todo = state.todos.find((each) => each.id === todoId);
    if (!todo || todo.status === 'completed') continue;
    const verdict = await judge(state, services, todo, result);
    bookings.push(...verdict.bookings);
    const attempt = {
      tool: result.tool_name,
      at: services.now(),
      seconds: (services.draft.durations.get(action.id) ?? 0) / 1000,
    };
    replaceTodo(
      state,
      verdict.met ? completeTodo(todo, attempt, result.summary) : failTodo(todo, attempt, verdict.reason),
    );
  }
  for (const todo of blockedTodos(state.todos)) replaceTodo(state, { ...todo, status: 'failed' });
  return usageOf(bookings);
}

async function judge(state: RunState, services: RunServices, todo: Todo, result: ToolActionResult) {
  if (result.status === 'failure') return { met: false, reason: result.error?.message ?? result.summary, bookings: [] };
  if (todo.success_criteria === '') return { met: true, reason: '', bookings: [] };
  const call = await stageCall(state, services, 'TASK_EXECUTION', verdictPrompt(state, services, todo, result));
  const outcome = await services.models.structured(call, { name: 'TodoVerdict', schema: TodoVerdict });
  services.book(outcome.bookings);
  // An examiner that fails must not undo what a tool has done.
  if (!outcome.ok) return { met: true, reason: '', bookings: outcome.bookings };
  return { ...outcome.value.value, bookings: outcome.bookings };
}

function replaceTodo(state: RunState, changed: Todo): void {
  state.todos = state.todos.map((todo) => (todo.id === changed.id ? changed : todo));
}
