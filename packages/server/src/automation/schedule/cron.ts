import { Cron } from 'croner';
import { Temporal } from 'temporal-polyfill';
import type { Schedule } from './schedule.ts';

/**
 * Cron on the wall clock of a time zone. When clocks change:
 * - a pattern that names its hours is due once for each time on the wall. In the hour that comes twice the first counts;
 *   what would be in the hour that is left out is due when that hour is over;
 * - a pattern for every hour (`*` or a step of it) goes by elapsed time: each of the two hours counts.
 * Throws an error whose message says what is wrong with the expression.
 */
export function cronSchedule(expression: string, timezone: string): Schedule {
  // `?` would mean the moment at which the expression is read.
  if (expression.includes('?')) throw new Error('`?` has no meaning here');
  return isEveryHour(expression) ? elapsed(expression, timezone) : onTheWall(expression, timezone);
}

const isEveryHour = (expression: string): boolean =>
  expression.startsWith('@') ? expression === '@hourly' : (expression.split(/\s+/)[1] ?? '').startsWith('*');

const pattern = (expression: string, timezone: string) =>
  new Cron(expression, { mode: '5-part', timezone, paused: true });

const SECOND = 1000;

function elapsed(expression: string, timezone: string): Schedule {
  const cron = pattern(expression, timezone);
  return {
    next: (after) => cron.nextRun(after) ?? undefined,
    between: (after, until, limit) => {
      const due: Date[] = [];
      // The library leaves out the second it is asked about.
      let [time] = cron.previousRuns(1, new Date(until.getTime() + SECOND));
      while (time && time > after && due.length < limit) {
        if (time <= until) due.unshift(time);
        [time] = cron.previousRuns(1, time);
      }
      return due;
    },
  };
}

/** No zone moves its clocks by more than this between two due times that matter. */
const LONGEST_SHIFT = 26 * 60 * 60 * SECOND;

/** The pattern runs over a calendar that knows no zones; each of its times is then looked up on the wall. */
function onTheWall(expression: string, timezone: string): Schedule {
  const calendar = pattern(expression, 'UTC');
  return {
    next: (after) => {
      for (let wall = calendar.nextRun(wallTime(after, timezone)); wall; wall = calendar.nextRun(wall)) {
        const due = instantOf(wall, timezone);
        if (due > after) return due;
      }
      return undefined;
    },
    between: (after, until, limit) => {
      const due: Date[] = [];
      let wall = new Date(wallTime(until, timezone).getTime() + LONGEST_SHIFT);
      while (due.length < limit) {
        const [earlier] = calendar.previousRuns(1, wall);
        if (!earlier) break;
        wall = earlier;
        const time = instantOf(earlier, timezone);
        if (time <= after) break;
        // Times of a left-out hour are due together, which is once.
        if (time <= until && time.getTime() !== due[0]?.getTime()) due.unshift(time);
      }
      return due;
    },
  };
}

/** What the wall shows, as if it were UTC. */
function wallTime(instant: Date, timezone: string): Date {
  const local = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timezone);
  return new Date(`${local.toPlainDateTime().toString({ smallestUnit: 'millisecond' })}Z`);
}

function instantOf(wall: Date, timezone: string): Date {
  const shown = Temporal.PlainDateTime.from(wall.toISOString().slice(0, -1));
  const zoned = shown.toZonedDateTime(timezone, { disambiguation: 'earlier' });
  const isLeftOut = !zoned.toPlainDateTime().equals(shown);
  const due = isLeftOut ? (zoned.getTimeZoneTransition('next') ?? zoned) : zoned;
  return new Date(due.epochMilliseconds);
}
