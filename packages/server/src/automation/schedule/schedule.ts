import type { AutomationSchedule } from '@kith/protocol';
import { cronSchedule } from './cron.ts';
import { intervalSchedule } from './interval.ts';
import { onceSchedule } from './once.ts';

/**
 * When something is due. It holds no clock: whoever asks says what time it is, so that a process that slept, a test and a
 * queue engine (which asks for the next time in just this way) all get the same answer.
 */
export interface Schedule {
  /** The first due time after this instant; undefined when there is none. */
  next(after: Date): Date | undefined;
  /** The newest due times that are after `after` and not after `until`, oldest first, at most so many. */
  between(after: Date, until: Date, limit: number): Date[];
}

/** A schedule as it is kept: an interval knows what it is counted from, a single time is an instant. */
export type KeptSchedule =
  | Extract<AutomationSchedule, { type: 'cron' }>
  | (Extract<AutomationSchedule, { type: 'interval' }> & { anchor: string })
  | Extract<AutomationSchedule, { type: 'once' }>;

export function scheduleOf(kept: KeptSchedule, timezone: string): Schedule {
  switch (kept.type) {
    case 'cron':
      return cronSchedule(kept.expression, timezone);
    case 'interval':
      return intervalSchedule(kept.seconds, new Date(kept.anchor));
    case 'once':
      return onceSchedule(new Date(kept.at));
  }
}
