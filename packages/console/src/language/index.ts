/** Chinese and English: typed dictionaries, and figures, money and times as each language writes them. */
export { useFormat } from './format.ts';
export { type Format, formatFor } from './format-for.ts';
export {
  type Dictionary,
  dictionary,
  followLanguage,
  hasChosenLanguage,
  language,
  speak,
  useLanguage,
  useWords,
} from './language.ts';
export { type Language, LOCALES } from './locales.ts';
