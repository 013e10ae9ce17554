import { z } from 'zod';

/** The skills' results, as far as the simulator looks into them. Anything else in them is ignored. */

export const CalendarEvent = z.looseObject({
  event_id: z.string(),
  title: z.string().default(''),
  start: z.string().optional(),
  end: z.string().optional(),
  all_day: z.boolean().optional(),
  /** Of an occurrence: what it is an occurrence of. */
  series_id: z.string().nullish(),
  location: z.string().nullish(),
  organizer: z.string().nullish().catch(undefined),
  /** The user's own answer, where somebody else invited them. */
  my_status: z.string().nullish(),
  participants: z
    .array(z.looseObject({ name: z.string().optional(), status: z.string().optional() }))
    .nullish()
    .catch(undefined),
});
export type CalendarEvent = z.infer<typeof CalendarEvent>;

export const Contact = z.looseObject({
  contact_id: z.string(),
  name: z.string().default(''),
  department: z.string().nullish(),
  title: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
});
export type Contact = z.infer<typeof Contact>;

export const StoredMemory = z.looseObject({
  memory_id: z.string(),
  kind: z.string().default('fact'),
  content: z.string(),
});
export type StoredMemory = z.infer<typeof StoredMemory>;

export const Passage = z.looseObject({
  file_id: z.string().optional(),
  name: z.string().default(''),
  text: z.string(),
});
export type Passage = z.infer<typeof Passage>;

export const FileText = z.looseObject({
  file_id: z.string().optional(),
  name: z.string().default(''),
  text: z.string(),
});

const EventList = z.looseObject({ events: z.array(CalendarEvent) });
const ContactList = z.looseObject({ contacts: z.array(Contact) });
const MemoryList = z.looseObject({ memories: z.array(StoredMemory) });
const PassageList = z.looseObject({ passages: z.array(Passage) });

export function eventsIn(result: unknown): CalendarEvent[] {
  // Mode `event` gives the one event itself.
  const single = CalendarEvent.safeParse(result);
  return single.success ? [single.data] : (EventList.safeParse(result).data?.events ?? []);
}
export const contactsIn = (result: unknown): Contact[] => ContactList.safeParse(result).data?.contacts ?? [];
export const memoriesIn = (result: unknown): StoredMemory[] => MemoryList.safeParse(result).data?.memories ?? [];
export const passagesIn = (result: unknown): Passage[] => PassageList.safeParse(result).data?.passages ?? [];

/** The one contact of this name; or the only one that was found. */
export function pickContact(result: unknown, name: string): Contact | undefined {
  const contacts = contactsIn(result);
  const exact = contacts.filter((contact) => contact.name.toLowerCase() === name.toLowerCase());
  const candidates = exact.length > 0 ? exact : contacts;
  return candidates.length === 1 ? candidates[0] : undefined;
}
