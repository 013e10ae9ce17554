import { Temporal } from 'temporal-polyfill';

/** An instant as a person in that zone writes it: `2026-11-16T10:00:00+08:00`. */
export const zonedInstant = (instant: Date, timeZone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toString({ timeZone, smallestUnit: 'second' });
