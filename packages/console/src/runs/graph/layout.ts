import type { RunDetail, Todo } from '@kith/protocol';
import type { Step } from '../steps.ts';
import { type GraphEdge, NODE_HEIGHT, NODE_WIDTH } from './measures.ts';

/** Where the nodes of a run's graph stand. Steps go down in the order they were done; what ran at once is side by side. */
const GAP_X = 28;
const GAP_Y = 44;
/** Between the steps and the todos. */
const ASIDE = 96;

export interface GraphNode {
  id: string;
  x: number;
  y: number;
  step: Step | undefined;
  todo: Todo | undefined;
}
export interface GraphLayout {
  nodes: GraphNode[];
  edges: GraphEdge[];
}

const PARALLEL = new Set(['tool', 'client_tool', 'approval']);

export function layOut(run: RunDetail, steps: readonly Step[]): GraphLayout {
  const rows = rowsOf(steps);
  const widest = Math.max(1, ...rows.map((row) => row.length));
  const nodes = rows
    .flatMap((row, index) => placeRow(row, index, widest))
    .map(({ step, ...place }) => ({ ...place, step, todo: undefined }));
  const edges = rows.flatMap((row, index) => {
    const above = rows[index - 1] ?? [];
    return above.flatMap((from) => row.map((to) => ({ from: from.key, to: to.key, kind: 'step' as const })));
  });
  const aside = servedTodos(run, steps);
  const served = nodes.find(({ id }) => aside.some(({ from }) => from === id));
  const left = widest * (NODE_WIDTH + GAP_X) + ASIDE;
  const todos = layOutTodos(run.todos, left, served?.y ?? 0);
  return { nodes: [...nodes, ...todos.nodes], edges: [...edges, ...todos.edges, ...aside] };
}

/** Calls that follow one plan stand in one row: they ran at the same time. */
function rowsOf(steps: readonly Step[]): Step[][] {
  const rows: Step[][] = [];
  const ordered = steps.toSorted((one, other) => (one.action?.id ?? Infinity) - (other.action?.id ?? Infinity));
  for (const step of ordered) {
    const last = rows.at(-1);
    const joins = PARALLEL.has(step.node) && last?.every(({ node }) => PARALLEL.has(node));
    if (last && joins) last.push(step);
    else rows.push([step]);
  }
  return rows;
}

function placeRow(row: readonly Step[], index: number, widest: number) {
  const indent = ((widest - row.length) * (NODE_WIDTH + GAP_X)) / 2;
  return row.map((step, column) => ({
    id: step.key,
    step,
    x: indent + column * (NODE_WIDTH + GAP_X),
    y: index * (NODE_HEIGHT + GAP_Y),
  }));
}

const todoKey = (id: string) => `todo-${id}`;

/** To the right of the steps; a todo stands to the right of all that it depends on. */
function layOutTodos(todos: readonly Todo[], left: number, top: number): GraphLayout {
  const known = new Map(todos.map((todo) => [todo.id, todo]));
  const depths = new Map<string, number>();
  const depthOf = (todo: Todo): number => {
    const found = depths.get(todo.id);
    if (found !== undefined) return found;
    // Held while its dependencies are looked at: a cycle, which the server refuses, would otherwise never end.
    depths.set(todo.id, 0);
    const above = todo.dependencies.flatMap((id) => known.get(id) ?? []).map(depthOf);
    const depth = above.length === 0 ? 0 : Math.max(...above) + 1;
    depths.set(todo.id, depth);
    return depth;
  };
  const rows = new Map<number, number>();
  const nodes = todos.map((todo) => {
    const depth = depthOf(todo);
    const row = rows.get(depth) ?? 0;
    rows.set(depth, row + 1);
    return {
      id: todoKey(todo.id),
      x: left + depth * (NODE_WIDTH + ASIDE),
      y: top + row * (NODE_HEIGHT + GAP_X),
      step: undefined,
      todo,
    };
  });
  const edges = todos.flatMap(({ id, dependencies }) =>
    dependencies
      .filter((before) => known.has(before))
      .map((before) => ({ from: todoKey(before), to: todoKey(id), kind: 'todo' as const })),
  );
  return { nodes, edges };
}

/** The planner says with each call which todo it is for. */
function servedTodos(run: RunDetail, steps: readonly Step[]): GraphEdge[] {
  const served = new Map(run.actions.flatMap(({ result }) => plannedCalls(result)));
  return steps.flatMap(({ key, toolCall }) => {
    const todo = toolCall && served.get(toolCall.tool_call_id);
    return todo && run.todos.some(({ id }) => id === todo)
      ? [{ from: key, to: todoKey(todo), kind: 'serves' as const }]
      : [];
  });
}

function plannedCalls(result: unknown): [string, string][] {
  if (typeof result !== 'object' || result === null || !('planned' in result) || !Array.isArray(result.planned))
    return [];
  return result.planned.flatMap((planned: unknown): [string, string][] => {
    if (typeof planned !== 'object' || planned === null) return [];
    const id = 'tool_call_id' in planned ? planned.tool_call_id : 'id' in planned ? planned.id : undefined;
    const todo = 'todo_id' in planned ? planned.todo_id : undefined;
    return typeof id === 'string' && typeof todo === 'string' ? [[id, todo]] : [];
  });
}
