/** Everything a person reads comes in both languages; anything but Chinese is served in English. */
export interface Words {
  zh: string;
  en: string;
}

export const isChinese = (language: string): boolean => /^zh\b/i.test(language);

export const inLanguage = (words: Words, language: string): string => (isChinese(language) ? words.zh : words.en);

/** Cut by code point, so that no character is halved. */
export function cut(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const points = Array.from(text);
  return points.length <= characters ? text : `${points.slice(0, characters - 1).join('')}…`;
}
