import type { NodeTable, RunServices } from './services.ts';
import { nextOf, type RunState } from './state.ts';

/** Goes where the last action points, until it points nowhere. Nothing else: the nodes do the work. */
export async function process(state: RunState, nodes: NodeTable, services: RunServices): Promise<void> {
  for (let next = nextOf(state); next.length > 0; next = nextOf(state)) {
    services.signal.throwIfAborted();
    await all(next.map((name) => nodeNamed(nodes, name)(state, services)));
  }
}

/** Waits for every one, then fails with the first that failed: nothing goes on working behind a failure. */
async function all(works: Promise<void>[]): Promise<void> {
  const failure = (await Promise.allSettled(works)).find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}

/** `tool:<id>` is the tool node for that call. */
function nodeNamed(nodes: NodeTable, name: string): NodeTable[string] {
  const [kind = name, ...rest] = name.split(':');
  const node = nodes[kind];
  if (!node) throw new Error(`there is no node ${name}`);
  return rest.length === 0 ? node : (state, services) => node(state, services, rest.join(':'));
}
