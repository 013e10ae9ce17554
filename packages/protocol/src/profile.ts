import { z } from 'zod';
import { Instant, JsonObject } from './json.ts';
import { ProfileSettings } from './settings.ts';

/** Nothing invisible in it: no two ids look alike, and none can be mistaken for a line of its own. */
export const UserId = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u, { error: 'expected visible characters' });

/** What PostgreSQL cannot hold (U+0000, half of a surrogate pair) becomes U+FFFD, the sign for a lost character. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');
const text = (max: number) => z.string().max(max).overwrite(storable);
const name = text(2048).regex(/\S/, { error: 'expected more than white space' });

const MAX_DEPTH = 32;
const MAX_VALUES = 5000;

/** Walks without recursion, because depth is what a hostile document is made of. */
function isModest(document: Record<string, unknown>): boolean {
  let level: unknown[] = [document];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length;
    if (depth > MAX_DEPTH || values > MAX_VALUES) return false;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return true;
}

function storableJson<T>(value: T): T;
function storableJson(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storableJson(inner)]));
}

const CustomFields = z
  .record(z.string(), z.unknown())
  .refine(isModest, { error: `expected at most ${MAX_VALUES} values, ${MAX_DEPTH} levels deep`, abort: true })
  .overwrite(storableJson)
  .pipe(JsonObject);

/** The lengths are generous, since the prompt cuts at 512 characters anyway: nobody's profile is refused for a long bio. */
const given = {
  username: name,
  display_name: name,
  bio: text(2 ** 20),
  email: z.email().max(320),
  department: text(2048),
  role: text(2048),
  custom_fields: CustomFields,
};

/** PUT …/profile: the whole profile; what is left out is empty. `settings` of any version is accepted. */
export const ProfileInput = z.strictObject({
  /** May be repeated from the path; it cannot be another. */
  user_id: UserId.optional(),
  username: given.username,
  /** The username, if none is given. */
  display_name: given.display_name.nullish(),
  bio: given.bio.nullish(),
  email: given.email.nullish(),
  department: given.department.nullish(),
  role: given.role.nullish(),
  custom_fields: given.custom_fields.nullish(),
  settings: z.record(z.string(), z.unknown()).nullish(),
});
export type ProfileInput = z.infer<typeof ProfileInput>;

/** PATCH …/profile: only the named fields change; null empties one. `settings` are merged section by section. */
export const ProfilePatch = ProfileInput.partial();
export type ProfilePatch = z.infer<typeof ProfilePatch>;

export const UserProfile = z.object({
  user_id: UserId,
  username: z.string(),
  display_name: z.string(),
  bio: z.string().nullable(),
  email: z.string().nullable(),
  department: z.string().nullable(),
  role: z.string().nullable(),
  custom_fields: JsonObject,
  settings: ProfileSettings,
  created_at: Instant,
  updated_at: Instant,
});
export type UserProfile = z.infer<typeof UserProfile>;

/** A line of the administrators' list. */
export const UserSummary = UserProfile.pick({
  user_id: true,
  username: true,
  display_name: true,
  department: true,
  role: true,
  created_at: true,
  updated_at: true,
});
export type UserSummary = z.infer<typeof UserSummary>;

export const UserPage = z.object({ users: z.array(UserSummary), next_cursor: z.string().nullable() });
export type UserPage = z.infer<typeof UserPage>;

/** GET /api/v1/users. */
export const UserQuery = z.strictObject({
  /** Part of a user id, a name or a department, in any case. */
  q: text(256).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(1024).optional(),
});
export type UserQuery = z.infer<typeof UserQuery>;

/** GET /api/v1/users/me: who the server takes the caller for. */
export const CurrentUser = z.object({ user_id: UserId, role: z.enum(['user', 'admin']), has_profile: z.boolean() });
export type CurrentUser = z.infer<typeof CurrentUser>;

/** GET …/context/prompt: what every agent is told of the user. */
export const ContextPrompt = z.object({ prompt: z.string() });
export type ContextPrompt = z.infer<typeof ContextPrompt>;

/** UserContextRequest: what a chat request may say of its user. */
export const UserContextRequest = z.strictObject({
  user_id: UserId,
  username: given.username.nullish(),
  display_name: given.display_name.nullish(),
  bio: given.bio.nullish(),
  email: given.email.nullish(),
  department: given.department.nullish(),
  role: given.role.nullish(),
  custom_fields: given.custom_fields.nullish(),
});
export type UserContextRequest = z.infer<typeof UserContextRequest>;

/** What a run knows of its user. Email is never part of it. */
export const UserAgentContext = z.union([
  z.strictObject({ user_id: UserId, is_anonymous: z.literal(true) }),
  z.strictObject({
    user_id: UserId,
    is_anonymous: z.literal(false).optional(),
    username: z.string(),
    display_name: z.string().optional(),
    bio: z.string().optional(),
    department: z.string().optional(),
    role: z.string().optional(),
    custom_fields: JsonObject.optional(),
    settings: ProfileSettings,
  }),
]);
export type UserAgentContext = z.infer<typeof UserAgentContext>;
