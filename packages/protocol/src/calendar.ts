import { z } from 'zod';

export const InviteStatus = z.enum(['invited', 'accepted', 'rejected']);
export type InviteStatus = z.infer<typeof InviteStatus>;
export const SharePermission = z.enum(['view', 'edit']);
export type SharePermission = z.infer<typeof SharePermission>;

/**
 * An event as its reader sees it. Times are in the reader's zone: ISO 8601 with the offset, or for whole days
 * the first and the last date. An occurrence of a series has an id of its own, and the series' id beside it.
 */
export const CalendarEvent = z.strictObject({
  event_id: z.string(),
  series_id: z.string().optional(),
  title: z.string(),
  start: z.string(),
  end: z.string(),
  all_day: z.boolean(),
  location: z.string().optional(),
  description: z.string().optional(),
  /** An RRULE (RFC 5545). */
  recurrence: z.string().optional(),
  participants: z
    .array(
      z.strictObject({
        name: z.string(),
        status: InviteStatus,
        permission: SharePermission.optional(),
        /** What they said when they rejected it. */
        reason: z.string().optional(),
      }),
    )
    .optional(),
  /** For somebody else's event: whose it is, and what the reader said to the invitation. */
  organizer: z.string().optional(),
  my_status: InviteStatus.optional(),
  my_permission: SharePermission.optional(),
});
export type CalendarEvent = z.infer<typeof CalendarEvent>;

/** `truncated`: there is more than was asked for at once. */
export const CalendarEventList = z.strictObject({
  count: z.int().nonnegative(),
  events: z.array(CalendarEvent),
  truncated: z.boolean().optional(),
});
export type CalendarEventList = z.infer<typeof CalendarEventList>;
