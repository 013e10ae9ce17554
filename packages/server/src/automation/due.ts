import type { MissedPolicy } from '@kith/protocol';
import type { Schedule } from './schedule/schedule.ts';

/** A due time that is found later than this was missed: no scheduler was there. */
const MISSED_AFTER_MS = 60_000;
/** So many due times that passed unseen are looked at, newest first: a minute's job that was down for a year is not run 500,000 times. */
const CATCH_UP = 20;

export interface DuePlan {
  /** Due times to run, oldest first. */
  runs: Date[];
  /** Due times that are let go, to be found in the job's history. */
  missed: Date[];
  next: Date | undefined;
}

/** What is to be done about a job whose next due time has come, by its policy for those that were missed. */
export function planDue(schedule: Schedule, policy: MissedPolicy, nextDueAt: Date, now: Date): DuePlan {
  const times = schedule.between(new Date(nextDueAt.getTime() - 1), now, CATCH_UP);
  const isLate = (time: Date) => now.getTime() - time.getTime() > MISSED_AFTER_MS;
  const late = times.filter(isLate);
  const onTime = times.filter((time) => !isLate(time));
  return { ...choose(policy, late, onTime), next: schedule.next(now) };
}

function choose(policy: MissedPolicy, late: Date[], onTime: Date[]): Pick<DuePlan, 'runs' | 'missed'> {
  if (policy === 'run_all') return { runs: [...late, ...onTime], missed: [] };
  // One run makes up for all that was missed; if one is due anyway, that is the one.
  const madeUp = policy === 'run_once' && onTime.length === 0 ? late.slice(-1) : [];
  return { runs: [...madeUp, ...onTime], missed: late.slice(0, late.length - madeUp.length) };
}
