import { CalendarEvent, InviteStatus, JsonObject, SharePermission } from '@kith/protocol';
import { z } from 'zod';
import { line, prose } from '../text.ts';

/** What the methods of the calendar take and give. Times are texts here; `span.ts` reads them in the user's zone. */

const eventId = z.string().min(1).max(80);
const time = z.string().min(1).max(40);
const title = line(200);
const location = line(300);
const description = prose(8000);
const recurrence = z.string().min(1).max(300);
const scope = z.enum(['this', 'following', 'all']);
export type Scope = z.infer<typeof scope>;

export const ReadInput = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('event'), event_id: eventId }),
  z.strictObject({ mode: z.literal('day'), date: time }),
  z.strictObject({ mode: z.literal('range'), start: time, end: time }),
  z.strictObject({ mode: z.literal('search'), query: line(200) }),
]);
export type ReadInput = z.infer<typeof ReadInput>;

export const Invitee = z.strictObject({
  contact_id: z.string().max(80).optional(),
  user_id: z.string().min(1).max(128).optional(),
  permission: SharePermission.optional(),
});
export type Invitee = z.infer<typeof Invitee>;
const invitees = z.array(Invitee).min(1).max(50);

export const EventInput = z.strictObject({
  title,
  start: time,
  end: time,
  // Models write null for what they leave out.
  all_day: z.boolean().nullish(),
  location: location.nullish(),
  description: description.nullish(),
  recurrence: recurrence.nullish(),
  participants: z.array(Invitee).max(50).nullish(),
});
export type EventInput = z.infer<typeof EventInput>;

/** One event, or several, each of which is read on its own: a bad one does not keep the others from being made. */
export const CreateInput = z.union([EventInput, z.strictObject({ events: z.array(JsonObject).min(1).max(50) })]);
export type CreateInput = z.infer<typeof CreateInput>;

export const UpdateInput = z.strictObject({
  event_id: eventId,
  title: title.optional(),
  start: time.optional(),
  end: time.optional(),
  all_day: z.boolean().optional(),
  location: location.nullish(),
  description: description.nullish(),
  recurrence: recurrence.nullish(),
  scope: scope.optional(),
});
export type UpdateInput = z.infer<typeof UpdateInput>;

export const DeleteInput = z.strictObject({ event_id: eventId, scope: scope.optional() });
export type DeleteInput = z.infer<typeof DeleteInput>;

export const ShareInput = z.strictObject({ event_id: eventId, participants: invitees });
export type ShareInput = z.infer<typeof ShareInput>;

export const AnswerInput = z.strictObject({ event_id: eventId, reason: line(500).optional() });
export type AnswerInput = z.infer<typeof AnswerInput>;

const Conflict = CalendarEvent.pick({ event_id: true, title: true, start: true, end: true });
export type Conflict = z.infer<typeof Conflict>;

const ItemError = z.strictObject({ code: z.string(), message: z.string(), field: z.string().optional() });
export const Created = z.strictObject({
  event_id: z.string(),
  status: z.literal('created'),
  conflicts: z.array(Conflict),
});
export type Created = z.infer<typeof Created>;
export const CreatedBatch = z.strictObject({
  count: z.int(),
  failed: z.int(),
  events: z.array(
    z.union([
      Created.extend({ index: z.int() }),
      z.strictObject({ index: z.int(), status: z.literal('failed'), error: ItemError }),
    ]),
  ),
});
export type CreatedBatch = z.infer<typeof CreatedBatch>;

export const Updated = z.strictObject({
  event_id: z.string(),
  status: z.literal('updated'),
  scope: scope.optional(),
  conflicts: z.array(Conflict),
});
export const Deleted = z.strictObject({ event_id: z.string(), status: z.literal('deleted'), scope: scope.optional() });
export const Shared = z.strictObject({
  event_id: z.string(),
  status: z.literal('shared'),
  count: z.int(),
  participants: z.array(z.strictObject({ name: z.string(), status: InviteStatus, permission: SharePermission })),
  failed: z.array(z.strictObject({ index: z.int(), error: ItemError })).optional(),
});
export const Answered = z.strictObject({ event_id: z.string(), status: InviteStatus });
