import { z } from 'zod';

/** What the user asks to be remembered, by `memory.update`. Strict: a field that is not here is refused with its name. */

const statement = z.string().trim().min(1).max(500);
const statements = z.array(statement).min(1).max(20);
const name = z.string().trim().min(1).max(100);

const notEmpty = (content: Record<string, unknown>) => Object.values(content).some((value) => value !== undefined);
const empty = { error: 'expected at least one field' };

/** The user as a person. `facts` and `preferences` are sentences; each is remembered on its own. */
export const UserMemoryContent = z
  .strictObject({
    nickname: name.optional(),
    birthday: z
      .string()
      .regex(/^(\d{4}-)?(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, { error: 'expected YYYY-MM-DD or MM-DD' })
      .optional(),
    location: name.optional(),
    facts: statements.optional(),
    preferences: statements.optional(),
  })
  .refine(notEmpty, empty);
export type UserMemoryContent = z.infer<typeof UserMemoryContent>;

/** The user at work. */
export const WorkProfileContent = z
  .strictObject({
    company: name.optional(),
    department: name.optional(),
    title: name.optional(),
    manager: name.optional(),
    team: z.array(name).min(1).max(20).optional(),
    projects: z.array(name).min(1).max(20).optional(),
    responsibilities: statements.optional(),
    working_hours: name.optional(),
    notes: statements.optional(),
  })
  .refine(notEmpty, empty);
export type WorkProfileContent = z.infer<typeof WorkProfileContent>;
