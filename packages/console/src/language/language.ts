import { stored, useStored } from '../app/stored.ts';
import { type Language, LOCALES } from './locales.ts';

const languageOf = (tag: string): Language => (/^zh/i.test(tag) ? 'zh' : 'en');

/** What was chosen in this browser; else the browser's own. `public/before-paint.js` reads the same key. */
export const language = stored<Language>(
  'kith.language',
  (text) => languageOf(text ?? navigator.language),
  (value) => LOCALES[value],
);

export const hasChosenLanguage = (): boolean => {
  try {
    return localStorage.getItem('kith.language') !== null;
  } catch {
    return false;
  }
};

/** Takes a BCP-47 tag, as it stands in a profile's settings. */
export function speak(tag: string): void {
  const next = languageOf(tag);
  if (next !== language.get()) language.set(next);
}

/** Screen readers, line breaking and the choice of Han glyphs all go by the page's language. */
export function followLanguage(): void {
  const apply = () => {
    document.documentElement.lang = LOCALES[language.get()];
  };
  apply();
  language.subscribe(apply);
}

export const useLanguage = (): Language => useStored(language);

/** Texts in both languages; the Chinese one sets the shape: `dictionary(zh, en)` with `en: typeof zh`. */
export type Dictionary<Words> = Readonly<Record<Language, Words>>;

export const dictionary = <Words>(zh: Words, en: NoInfer<Words>): Dictionary<Words> => ({ zh, en });

export const useWords = <Words>(words: Dictionary<Words>): Words => words[useLanguage()];
