import { Temporal } from 'temporal-polyfill';
import { basic } from './recurrence.ts';
import type { Span } from './span.ts';

/**
 * An event or a series is named by its UUID, an occurrence by the UUID and its start as the rule gives it
 * (`…_20261116T070000Z`, `…_20261120` for whole days): the name stays when the occurrence is moved.
 */
export interface EventId {
  id: string;
  occurrence?: Span['start'];
}

const FORM = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:_(\d{8})(T\d{6}Z)?)?$/i;

export function readEventId(text: string): EventId | undefined {
  const [matched, id, day, time] = FORM.exec(text.trim()) ?? [];
  if (!matched || !id) return undefined;
  if (!day) return { id: id.toLowerCase() };
  try {
    const occurrence = time ? Temporal.Instant.from(day + time) : Temporal.PlainDate.from(day);
    return { id: id.toLowerCase(), occurrence };
  } catch {
    return undefined;
  }
}

export function writeEventId({ id, occurrence }: EventId): string {
  return occurrence ? `${id}_${basic(occurrence)}` : id;
}
