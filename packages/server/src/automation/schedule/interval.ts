import type { Schedule } from './schedule.ts';

/** Every so many seconds from a fixed instant, so that neither a restart nor a late run moves it. */
export function intervalSchedule(seconds: number, anchor: Date): Schedule {
  const period = seconds * 1000;
  const start = anchor.getTime();
  const at = (count: number) => new Date(start + count * period);
  /** The first one is due a whole interval after the anchor. */
  const countAt = (instant: Date) => Math.max(0, Math.floor((instant.getTime() - start) / period));
  return {
    next: (after) => at(countAt(after) + 1),
    between: (after, until, limit) => {
      const last = countAt(until);
      const first = Math.max(countAt(after) + 1, last - limit + 1);
      return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => at(first + index));
    },
  };
}
