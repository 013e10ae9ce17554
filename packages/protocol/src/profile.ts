import { z } from 'zod';
import { Instant, JsonObject } from './json.ts';
import { ProfileSettings } from './settings.ts';

/** 1 MB of bio is somebody's mistake; the prompt cuts at 512 characters anyway. */
const text = (max: number) => z.string().max(max);

export const UserId = z.string().min(1).max(128);

const profileFields = {
  username: text(128).min(1),
  display_name: text(256).min(1),
  bio: text(16_384).nullable(),
  email: z.email().max(320).nullable(),
  department: text(256).nullable(),
  role: text(256).nullable(),
  custom_fields: JsonObject,
};

/** PUT …/profile: the whole profile; what is left out is empty. `settings` of any version is accepted. */
export const ProfileInput = z.strictObject({
  username: profileFields.username,
  display_name: profileFields.display_name.optional(),
  bio: profileFields.bio.optional(),
  email: profileFields.email.optional(),
  department: profileFields.department.optional(),
  role: profileFields.role.optional(),
  custom_fields: profileFields.custom_fields.nullish(),
  settings: z.record(z.string(), z.unknown()).nullish(),
});
export type ProfileInput = z.infer<typeof ProfileInput>;

/** PATCH …/profile: only the named fields change. */
export const ProfilePatch = ProfileInput.partial();
export type ProfilePatch = z.infer<typeof ProfilePatch>;

export const UserProfile = z.object({
  user_id: UserId,
  ...profileFields,
  settings: ProfileSettings,
  created_at: Instant,
  updated_at: Instant,
});
export type UserProfile = z.infer<typeof UserProfile>;

/** Document 3's UserContextRequest: what a chat request may say of its user. */
export const UserContextRequest = z.strictObject({
  user_id: UserId,
  username: profileFields.username.nullish(),
  display_name: profileFields.display_name.nullish(),
  bio: profileFields.bio.optional(),
  email: profileFields.email.optional(),
  department: profileFields.department.optional(),
  role: profileFields.role.optional(),
  custom_fields: profileFields.custom_fields.nullish(),
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
