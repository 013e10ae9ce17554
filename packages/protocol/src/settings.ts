import { z } from 'zod';
import { isCountryCode, isLanguageTag, isTimeZone } from './standards.ts';

const languageTag = z.string().refine(isLanguageTag, { error: 'expected a BCP-47 language tag such as zh-CN' });
const timeZone = z.string().refine(isTimeZone, { error: 'expected an IANA time zone such as Asia/Shanghai' });
const country = z
  .string()
  .transform((code) => code.toUpperCase())
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
const SafetySettings = z.strictObject({
  /** Loosens (`never`) or tightens (`always`) the approval of a method, by its name: `calendar.delete`. */
  approvals: z.record(z.string().regex(/^[a-z0-9_-]+(\.[a-z0-9_*-]+)+$/i), z.enum(['always', 'never'])).optional(),
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
export const ProfileSettings = z.discriminatedUnion('version', [ProfileSettingsV1, ProfileSettingsV2]);
export type ProfileSettings = z.infer<typeof ProfileSettings>;
