import { z } from 'zod';
import { isCountryCode, isLanguageTag, isTimeZone } from './standards.ts';

const languageTag = z.string().refine(isLanguageTag, { error: 'expected a BCP-47 language tag such as zh-CN' });
const timeZone = z.string().refine(isTimeZone, { error: 'expected an IANA time zone such as Asia/Shanghai' });
const country = z
  .string()
  // The shape first: `ß` in upper case is SS, and that is South Sudan.
  .regex(/^[A-Za-z]{2}$/, { error: 'expected an ISO 3166-1 alpha-2 country code such as CN', abort: true })
  .toUpperCase()
  .refine(isCountryCode, { error: 'expected an ISO 3166-1 alpha-2 country code such as CN' });

export const PreferenceSettings = z.strictObject({
  interface_language: languageTag.default('zh-CN'),
  ai_language: languageTag.default('zh-CN'),
  timezone: timeZone.default('Asia/Shanghai'),
  country: country.default('CN'),
});
export type PreferenceSettings = z.infer<typeof PreferenceSettings>;

const PrivacySettings = z.strictObject({
  /** false stops both the reading and the learning of memories. */
  memory_enabled: z.boolean().optional(),
});
const NotificationSettings = z.strictObject({
  automation_failures: z.boolean().optional(),
});

const methodName = z
  .string()
  .max(128)
  .regex(/^[a-z0-9_-]+(\.[a-z0-9_*-]+)+$/i, { error: 'expected the name of a method such as calendar.delete' });
const SafetySettings = z.strictObject({
  /** Loosens (`never`) or tightens (`always`) the approval of a method, by its name: `calendar.delete`. */
  approvals: z
    .record(methodName, z.enum(['always', 'never']))
    .refine((approvals) => Object.keys(approvals).length <= 256, { error: 'expected at most 256 methods' })
    .optional(),
});

const shared = {
  preferences: PreferenceSettings.prefault({}),
  privacy: PrivacySettings.prefault({}),
  notification: NotificationSettings.prefault({}),
};
export const ProfileSettingsV1 = z.strictObject({ version: z.literal(1), ...shared });
export type ProfileSettingsV1 = z.infer<typeof ProfileSettingsV1>;
export const ProfileSettingsV2 = z.strictObject({
  version: z.literal(2),
  ...shared,
  safety: SafetySettings.prefault({}),
});
export type ProfileSettingsV2 = z.infer<typeof ProfileSettingsV2>;

/** Settings of any version that was ever written. */
export const ProfileSettings = z.discriminatedUnion('version', [ProfileSettingsV1, ProfileSettingsV2], {
  error: (issue) => (issue.code === 'invalid_union' ? 'expected version 1 or 2' : undefined),
});
export type ProfileSettings = z.infer<typeof ProfileSettings>;
