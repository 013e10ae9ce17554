import type { Todo } from '@kith/protocol';

/** The todo list of a turn: a DAG with priorities, critical paths and retries. */

export type TodoDraft = Pick<Todo, 'id' | 'task'> &
  Partial<
    Pick<Todo, 'dependencies' | 'suggested_tools' | 'priority' | 'execution_tips' | 'success_criteria' | 'max_retry'>
  >;

export type TodoGraph = { ok: true; todos: Todo[] } | { ok: false; message: string; ids: string[] };

/** Makes whole todos of drafts. A cycle, an unknown dependency or a repeated id is refused with the ids at fault. */
export function makeTodos(drafts: readonly TodoDraft[]): TodoGraph {
  const ids = new Set<string>();
  const repeated = new Set<string>();
  for (const { id } of drafts) (ids.has(id) ? repeated : ids).add(id);
  if (repeated.size > 0) return { ok: false, message: 'two todos have the same id', ids: [...repeated] };
  const unknown = drafts.flatMap((draft) => (draft.dependencies ?? []).filter((id) => !ids.has(id)));
  if (unknown.length > 0) return { ok: false, message: 'a dependency is not in the list', ids: [...new Set(unknown)] };
  const todos = drafts.map(toTodo);
  const cycle = findCycle(todos);
  if (cycle.length > 0) return { ok: false, message: 'the dependencies form a cycle', ids: cycle };
  return { ok: true, todos: withCriticalPaths(todos) };
}

const toTodo = (draft: TodoDraft): Todo => ({
  id: draft.id,
  task: draft.task,
  status: 'pending',
  dependencies: [...new Set(draft.dependencies ?? [])],
  suggested_tools: draft.suggested_tools ?? [],
  priority: draft.priority ?? 5,
  execution_tips: draft.execution_tips ?? '',
  success_criteria: draft.success_criteria ?? '',
  critical_path_length: 0,
  retry: 0,
  max_retry: draft.max_retry ?? 3,
  retry_after: null,
  error_history: [],
  completion_details: null,
});

/** The ids on one cycle, in order, or nothing. */
export function findCycle(todos: readonly Pick<Todo, 'id' | 'dependencies'>[]): string[] {
  const byId = new Map(todos.map((todo) => [todo.id, todo]));
  const settled = new Set<string>();
  for (const start of todos) {
    if (settled.has(start.id)) continue;
    // Depth first without recursion: a chain of ten thousand must not exhaust the stack.
    const path = [{ id: start.id, rest: [...start.dependencies] }];
    const onPath = new Set([start.id]);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) {
        settled.add(top.id);
        onPath.delete(top.id);
        path.pop();
      } else if (onPath.has(next)) {
        return path.slice(path.findIndex((step) => step.id === next)).map((step) => step.id);
      } else if (!settled.has(next)) {
        path.push({ id: next, rest: [...(byId.get(next)?.dependencies ?? [])] });
        onPath.add(next);
      }
    }
  }
  return [];
}

/** How many todos still follow on the longest way through each, itself included. */
function withCriticalPaths(todos: Todo[]): Todo[] {
  const byId = new Map(todos.map((todo) => [todo.id, todo]));
  const unfinished = new Map(todos.map((todo) => [todo.id, 0]));
  for (const id of todos.flatMap((todo) => todo.dependencies)) unfinished.set(id, (unfinished.get(id) ?? 0) + 1);
  const lengths = new Map(todos.map((todo) => [todo.id, 1]));
  const ready = todos.filter((todo) => unfinished.get(todo.id) === 0);
  for (let todo = ready.pop(); todo; todo = ready.pop()) {
    for (const id of todo.dependencies) {
      lengths.set(id, Math.max(lengths.get(id) ?? 1, 1 + (lengths.get(todo.id) ?? 1)));
      const left = (unfinished.get(id) ?? 0) - 1;
      unfinished.set(id, left);
      const dependency = left === 0 ? byId.get(id) : undefined;
      if (dependency) ready.push(dependency);
    }
  }
  return todos.map((todo) => ({ ...todo, critical_path_length: lengths.get(todo.id) ?? 1 }));
}

/** What can be worked on now: by priority, then by the longer critical path, then in the order given. */
export function readyTodos(todos: readonly Todo[], now: Date): Todo[] {
  const done = new Set(todos.filter((todo) => todo.status === 'completed').map((todo) => todo.id));
  return todos
    .filter((todo) => todo.status === 'pending')
    .filter((todo) => todo.dependencies.every((id) => done.has(id)))
    .filter((todo) => todo.retry_after === null || new Date(todo.retry_after) <= now)
    .sort((one, other) => other.priority - one.priority || other.critical_path_length - one.critical_path_length);
}

export interface Attempt {
  tool: string;
  at: Date;
  seconds: number;
}

export function completeTodo(todo: Todo, attempt: Attempt, output: string): Todo {
  return {
    ...todo,
    status: 'completed',
    retry_after: null,
    completion_details: {
      completed_at: attempt.at.toISOString(),
      tool_used: attempt.tool,
      execution_time: attempt.seconds,
      output,
    },
  };
}

/** Back to pending with a delay while tries are left, else failed; every error stays in the history. */
export function failTodo(todo: Todo, attempt: Attempt, error: string): Todo {
  const retry = todo.retry + 1;
  const exhausted = retry > todo.max_retry;
  return {
    ...todo,
    retry: exhausted ? todo.retry : retry,
    status: exhausted ? 'failed' : 'pending',
    retry_after: exhausted ? null : new Date(attempt.at.getTime() + backoffMs(retry)).toISOString(),
    error_history: [
      ...todo.error_history,
      {
        timestamp: attempt.at.toISOString(),
        attempt: todo.error_history.length + 1,
        tool_used: attempt.tool,
        error,
        retry_count: todo.retry,
        execution_time: attempt.seconds,
      },
    ],
  };
}

const backoffMs = (retry: number) => Math.min(8000, 250 * 2 ** (retry - 1));

/** A todo whose dependency failed can never start. */
export function blockedTodos(todos: readonly Todo[]): Todo[] {
  const dead = new Set(todos.filter((todo) => todo.status === 'failed').map((todo) => todo.id));
  const blocked: Todo[] = [];
  for (let grown = true; grown; ) {
    grown = false;
    for (const todo of todos) {
      if (todo.status === 'pending' && !dead.has(todo.id) && todo.dependencies.some((id) => dead.has(id))) {
        dead.add(todo.id);
        blocked.push(todo);
        grown = true;
      }
    }
  }
  return blocked;
}
