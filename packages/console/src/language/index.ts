/** Chinese and English: typed dictionaries, and figures, money and times as each language writes them. */
export { type Format, formatFor, useFormat } from './format.ts';
export {
  type Dictionary,
  dictionary,
  followLanguage,
  hasChosenLanguage,
  type Language,
  LOCALES,
  language,
  speak,
  useLanguage,
  useWords,
} from './language.ts';
