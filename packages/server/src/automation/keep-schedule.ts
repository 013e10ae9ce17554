import type { AutomationSchedule } from '@kith/protocol';
import { Temporal } from 'temporal-polyfill';
import { errors } from '../errors/index.ts';
import { type KeptSchedule, scheduleOf } from './schedule/schedule.ts';

/** A schedule as it was asked for → as it is kept, and when it is due first. What makes no sense is refused by its field. */
export function keepSchedule(
  asked: AutomationSchedule,
  timezone: string,
  now: Date,
): { kept: KeptSchedule; next: Date } {
  const kept = keptOf(asked, timezone, now);
  const next = nextOf(kept, timezone, now);
  if (!next) {
    const field = kept.type === 'once' ? 'at' : 'expression';
    throw refused(field, kept.type === 'once' ? 'expected a time that is still to come' : 'it is never due');
  }
  return { kept, next };
}

function keptOf(asked: AutomationSchedule, timezone: string, now: Date): KeptSchedule {
  if (asked.type === 'interval') return { ...asked, anchor: now.toISOString() };
  if (asked.type === 'once') return { type: 'once', at: instantOf(asked.at, timezone).toISOString() };
  return asked;
}

function nextOf(kept: KeptSchedule, timezone: string, now: Date): Date | undefined {
  try {
    return scheduleOf(kept, timezone).next(now);
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    throw refused('expression', message);
  }
}

/** ISO 8601 with an offset, or local in the zone. A local time that a clock change leaves out is taken after the gap. */
function instantOf(text: string, timezone: string): Date {
  try {
    const hasOffset = /(Z|[+-]\d\d(:?\d\d)?)$/i.test(text) && /\dT\d/i.test(text);
    const { epochMilliseconds } = hasOffset
      ? Temporal.Instant.from(text)
      : Temporal.PlainDateTime.from(text).toZonedDateTime(timezone);
    return new Date(epochMilliseconds);
  } catch {
    throw refused('at', 'expected ISO 8601, with an offset or local in the time zone of the job');
  }
}

const refused = (field: string, message: string) =>
  errors.REQUEST_INVALID({
    detail: `schedule.${field}: ${message}`,
    fields: [{ field: `schedule.${field}`, message }],
  });
