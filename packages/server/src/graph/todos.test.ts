import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockedTodos, completeTodo, failTodo, findCycle, makeTodos, readyTodos, type TodoDraft } from './todos.ts';

const now = new Date('2026-11-16T02:00:00Z');
const attempt = { tool: 'calendar.read', at: now, seconds: 0.2 };

const made = (drafts: readonly TodoDraft[]) => {
  const graph = makeTodos(drafts);
  if (!graph.ok) throw new Error(graph.message);
  return graph.todos;
};

/** Random lists whose dependencies only point backwards: never a cycle. */
const acyclic = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc.tuple(
    ...Array.from({ length: size }, (_, index) =>
      fc.record({
        id: fc.constant(`t${index}`),
        task: fc.constant('do'),
        priority: fc.integer({ min: 0, max: 9 }),
        dependencies: fc.subarray(Array.from({ length: index }, (_, before) => `t${before}`)),
      }),
    ),
  ),
);

describe('a plan', () => {
  test('is refused with the ids on the cycle', () => {
    const graph = makeTodos([
      { id: 'a', task: 'x', dependencies: ['c'] },
      { id: 'b', task: 'x', dependencies: ['a'] },
      { id: 'c', task: 'x', dependencies: ['b'] },
      { id: 'd', task: 'x' },
    ]);
    expect(graph).toMatchObject({ ok: false });
    expect(graph.ok ? [] : graph.ids.toSorted()).toEqual(['a', 'b', 'c']);
  });

  test('is refused when a dependency is not in it, or an id stands twice', () => {
    expect(makeTodos([{ id: 'a', task: 'x', dependencies: ['z'] }])).toMatchObject({ ok: false, ids: ['z'] });
    expect(
      makeTodos([
        { id: 'a', task: 'x' },
        { id: 'a', task: 'y' },
      ]),
    ).toMatchObject({ ok: false, ids: ['a'] });
  });

  test('knows the longest way that still follows each todo', () => {
    const todos = made([
      { id: 'read', task: 'x' },
      { id: 'write', task: 'x', dependencies: ['read'] },
      { id: 'tell', task: 'x', dependencies: ['write'] },
      { id: 'note', task: 'x' },
    ]);
    expect(Object.fromEntries(todos.map((todo) => [todo.id, todo.critical_path_length]))).toEqual({
      read: 3,
      write: 2,
      tell: 1,
      note: 1,
    });
  });

  test('of ten thousand todos in a chain is handled without exhausting the stack', () => {
    const drafts = Array.from({ length: 10_000 }, (_, index) => ({
      id: `${index}`,
      task: 'x',
      ...(index > 0 ? { dependencies: [`${index - 1}`] } : {}),
    }));
    expect(made(drafts)[0]?.critical_path_length).toBe(10_000);
  });
});

test('a critical path is always one longer than the longest of its followers', () => {
  fc.assert(
    fc.property(acyclic, (drafts) => {
      const todos = made(drafts);
      for (const todo of todos) {
        const followers = todos.filter((other) => other.dependencies.includes(todo.id));
        expect(todo.critical_path_length).toBe(
          1 + Math.max(0, ...followers.map((other) => other.critical_path_length)),
        );
      }
    }),
  );
});

test('a cycle is found exactly when the list cannot be worked off', () => {
  const anyGraph = fc.integer({ min: 1, max: 8 }).chain((size) => {
    const ids = Array.from({ length: size }, (_, index) => `t${index}`);
    return fc.tuple(...ids.map((id) => fc.record({ id: fc.constant(id), dependencies: fc.subarray(ids) })));
  });
  fc.assert(
    fc.property(anyGraph, (todos) => {
      const done = new Set<string>();
      for (let before = -1; before < done.size; ) {
        before = done.size;
        for (const todo of todos) if (todo.dependencies.every((id) => done.has(id))) done.add(todo.id);
      }
      const cycle = findCycle(todos);
      expect(cycle.length > 0).toBe(done.size < todos.length);
      for (const [index, id] of cycle.entries()) {
        const next = cycle[(index + 1) % cycle.length];
        expect(todos.find((todo) => todo.id === id)?.dependencies).toContain(next);
      }
    }),
  );
});

test('working off what is ready, best first, ends with everything done and never out of order', () => {
  fc.assert(
    fc.property(acyclic, (drafts) => {
      let todos = made(drafts);
      const order: string[] = [];
      for (let ready = readyTodos(todos, now); ready.length > 0; ready = readyTodos(todos, now)) {
        const [first] = ready;
        if (!first) break;
        expect(ready.every((other) => other.priority <= first.priority)).toBe(true);
        expect(first.dependencies.every((id) => order.includes(id))).toBe(true);
        order.push(first.id);
        todos = todos.map((todo) => (todo.id === first.id ? completeTodo(todo, attempt, 'ok') : todo));
      }
      expect(order).toHaveLength(todos.length);
    }),
  );
});

test('of the same priority, the longer critical path goes first', () => {
  const todos = made([
    { id: 'short', task: 'x' },
    { id: 'long', task: 'x' },
    { id: 'after', task: 'x', dependencies: ['long'] },
  ]);
  expect(readyTodos(todos, now).map((todo) => todo.id)).toEqual(['long', 'short']);
});

test('a failure is tried again after a growing delay, keeps its history, and ends as failed', () => {
  let [todo] = made([{ id: 'a', task: 'x', max_retry: 2 }]);
  const delays: number[] = [];
  for (let round = 0; todo && round < 3; round++) {
    todo = failTodo(todo, attempt, `error ${round}`);
    if (todo.retry_after) delays.push(new Date(todo.retry_after).getTime() - now.getTime());
  }
  expect(todo?.status).toBe('failed');
  expect(delays).toEqual([250, 500]);
  expect(todo?.error_history.map((entry) => [entry.attempt, entry.error])).toEqual([
    [1, 'error 0'],
    [2, 'error 1'],
    [3, 'error 2'],
  ]);
});

test('a todo that waits for its retry is not ready before its time', () => {
  const todos = made([{ id: 'a', task: 'x' }]).map((todo) => failTodo(todo, attempt, 'no'));
  expect(readyTodos(todos, now)).toEqual([]);
  expect(readyTodos(todos, new Date(now.getTime() + 250))).toHaveLength(1);
});

test('what depends on a failed todo, however far, can never start', () => {
  const todos = made([
    { id: 'a', task: 'x', max_retry: 0 },
    { id: 'b', task: 'x', dependencies: ['a'] },
    { id: 'c', task: 'x', dependencies: ['b'] },
    { id: 'd', task: 'x' },
  ]).map((todo) => (todo.id === 'a' ? failTodo(todo, attempt, 'no') : todo));
  expect(blockedTodos(todos).map((todo) => todo.id)).toEqual(['b', 'c']);
});
