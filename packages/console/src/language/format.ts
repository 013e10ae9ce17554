import { useMemo } from 'react';
import { useSettings } from '../api/me.ts';
import { type Format, formatFor } from './format-for.ts';
import { useLanguage } from './language.ts';

/** Formats in the page's language and the user's own time zone. */
export function useFormat(): Format {
  const language = useLanguage();
  const zone = useSettings().data?.preferences.timezone;
  return useMemo(() => formatFor(language, zone), [language, zone]);
}
