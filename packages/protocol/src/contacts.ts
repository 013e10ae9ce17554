import { z } from 'zod';
import { Instant } from './json.ts';
import { UserId } from './profile.ts';

/** No line breaks and no control characters: a name is a name. */
const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;
const line = (max: number) => z.string().trim().min(1).max(max).regex(oneLine, { error: 'expected one line of text' });

const contactFields = {
  name: line(200),
  email: z.email().max(320).nullable(),
  phone: line(64).nullable(),
  department: line(256).nullable(),
  title: line(256).nullable(),
  /** The contact's own user id here, if they have one: with it they see what is shared with them. */
  user_id: UserId.regex(oneLine, { error: 'expected one line of text' }).nullable(),
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

/** GET /api/v1/contacts: by name, pinyin, department, title or email; everyone without a query. */
export const ContactQuery = z.strictObject({
  query: z.string().max(200).regex(oneLine, { error: 'expected one line of text' }).default(''),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type ContactQuery = z.infer<typeof ContactQuery>;

export const ContactList = z.object({ count: z.int().nonnegative(), contacts: z.array(Contact) });
export type ContactList = z.infer<typeof ContactList>;
