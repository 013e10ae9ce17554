import type { Schedule } from './schedule.ts';

export const onceSchedule = (at: Date): Schedule => ({
  next: (after) => (at > after ? at : undefined),
  between: (after, until, limit) => (at > after && at <= until && limit > 0 ? [at] : []),
});
