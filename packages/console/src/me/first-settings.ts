import type { PreferenceSettings } from '@kith/protocol';
import { useCurrentUser } from '../api/index.ts';
import { LOCALES, useLanguage } from '../language/index.ts';

/**
 * Whoever saves something for the first time gets a profile, and its languages are those of the page: the server's own
 * default would turn an English page Chinese. Nothing for someone who has a profile.
 */
export function useFirstPreferences(): Partial<PreferenceSettings> {
  const tag = LOCALES[useLanguage()];
  const hasProfile = useCurrentUser().data?.has_profile ?? true;
  return hasProfile ? {} : { interface_language: tag, ai_language: tag };
}
