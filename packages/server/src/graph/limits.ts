import type { RunServices } from './services.ts';
import type { RunState } from './state.ts';

/** Why a run ends before its work is done, in words for its user. */
export interface Stop {
  code: 'LIMIT_REACHED' | 'LOOP';
  zh: string;
  en: string;
}

/** Steps, tokens, cost and time of a run have bounds; reaching one ends it with what is known. */
export function limitReached(state: RunState, services: Pick<RunServices, 'limits' | 'elapsedMs'>): Stop | undefined {
  const { steps, tokens, cost, wallTimeMs } = services.limits;
  const seconds = Math.round(wallTimeMs / 1000);
  const bounds: [isReached: boolean, zh: string, en: string][] = [
    [state.actions.length >= steps, `已达到 ${steps} 步的上限`, `the limit of ${steps} steps was reached`],
    [
      state.usage.total_tokens >= tokens,
      `已达到 ${tokens} 个 token 的上限`,
      `the limit of ${tokens} tokens was reached`,
    ],
    [state.cost >= cost, '已达到费用上限', 'the cost limit was reached'],
    // Of this attempt alone: the time that a run waits for a person's word does not count.
    [
      services.elapsedMs() >= wallTimeMs,
      `已达到 ${seconds} 秒的时间上限`,
      `the time limit of ${seconds} s was reached`,
    ],
  ];
  const reached = bounds.find(([isReached]) => isReached);
  return reached && { code: 'LIMIT_REACHED', zh: reached[1], en: reached[2] };
}
