import type { Stop } from './nodes/reflection.ts';
import type { RunServices } from './services.ts';
import type { RunState } from './state.ts';

/** Steps, tokens, cost and time of a run have bounds; reaching one ends it with what is known. */
export function limitReached(state: RunState, services: Pick<RunServices, 'limits' | 'now'>): Stop | undefined {
  const { limits } = services;
  const reached: [boolean, string][] = [
    [state.actions.length >= limits.steps, `the limit of ${limits.steps} steps was reached`],
    [state.usage.total_tokens >= limits.tokens, `the limit of ${limits.tokens} tokens was reached`],
    [state.cost >= limits.cost, 'the cost limit was reached'],
    [
      services.now().getTime() - state.identity.startedAt.getTime() >= limits.wallTimeMs,
      `the time limit of ${Math.round(limits.wallTimeMs / 1000)} s was reached`,
    ],
  ];
  const message = reached.find(([isReached]) => isReached)?.[1];
  return message ? { code: 'LIMIT_REACHED', message } : undefined;
}
