import { z } from 'zod';
import { Instant } from './json.ts';
import { UserId } from './profile.ts';

const line = (max: number) => z.string().trim().min(1).max(max);

const contactFields = {
  name: line(200),
  email: z.email().max(320).nullable(),
  phone: line(64).nullable(),
  department: line(256).nullable(),
  title: line(256).nullable(),
  /** The contact's own user id here, if they have one: with it they see what is shared with them. */
  user_id: UserId.nullable(),
};

/** POST /api/v1/contacts. */
export const ContactInput = z.strictObject({
  name: contactFields.name,
  email: contactFields.email.optional(),
  phone: contactFields.phone.optional(),
  department: contactFields.department.optional(),
  title: contactFields.title.optional(),
  user_id: contactFields.user_id.optional(),
});
export type ContactInput = z.infer<typeof ContactInput>;

/** PATCH /api/v1/contacts/{contact_id}: only the named fields change. */
export const ContactPatch = ContactInput.partial();
export type ContactPatch = z.infer<typeof ContactPatch>;

export const Contact = z.object({
  contact_id: z.uuid(),
  ...contactFields,
  created_at: Instant,
  updated_at: Instant,
});
export type Contact = z.infer<typeof Contact>;

export const ContactList = z.object({ count: z.int().nonnegative(), contacts: z.array(Contact) });
export type ContactList = z.infer<typeof ContactList>;
