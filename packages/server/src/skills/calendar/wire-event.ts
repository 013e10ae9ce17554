import type { CalendarEvent } from '@kith/protocol';
import type { Transaction } from '../../db/index.ts';
import type { Entry } from './agenda.ts';
import { type ParticipantRow, participantsOf } from './rows.ts';
import { toWire } from './span.ts';

/** `full`: with what only somebody who asks for this one event wants to read. */
type Detail = 'list' | 'full';

/** Entries as callers read them. */
export async function toEvents(
  sql: Transaction,
  entries: readonly Entry[],
  zone: string,
  detail: Detail,
): Promise<CalendarEvent[]> {
  const ids = new Set(entries.flatMap(({ row, seriesId }) => (seriesId ? [row.id, seriesId] : [row.id])));
  const guests = Map.groupBy(await participantsOf(sql, [...ids]), (guest) => guest.event_id);
  return entries.map((entry) => {
    const invited = [...(guests.get(entry.seriesId ?? '') ?? []), ...(guests.get(entry.row.id) ?? [])];
    return toEvent(entry, new Map(invited.map((guest) => [guest.participant, guest])), zone, detail);
  });
}

function toEvent(
  { eventId, seriesId, row, span }: Entry,
  guests: ReadonlyMap<string, ParticipantRow>,
  zone: string,
  detail: Detail,
): CalendarEvent {
  const full = detail === 'full';
  return {
    event_id: eventId,
    ...(seriesId ? { series_id: seriesId } : {}),
    title: row.title,
    ...toWire(span, zone),
    ...(row.location ? { location: row.location } : {}),
    ...(full && row.description ? { description: row.description } : {}),
    ...(row.recurrence ? { recurrence: row.recurrence } : {}),
    ...(guests.size > 0
      ? { participants: [...guests.values()].map((guest) => toParticipant(guest, full, !row.organizer)) }
      : {}),
    ...(row.organizer ? { organizer: row.organizer } : {}),
    ...(row.my_status ? { my_status: row.my_status } : {}),
    ...(row.my_permission ? { my_permission: row.my_permission } : {}),
  };
}

/** Why somebody said no is between them and the organizer. */
function toParticipant({ name, status, permission, reason }: ParticipantRow, full: boolean, toOrganizer: boolean) {
  return { name, status, ...(full ? { permission } : {}), ...(full && toOrganizer && reason ? { reason } : {}) };
}
