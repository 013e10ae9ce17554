const CHINESE_DIGITS = '零一二三四五六七八九';
const ENGLISH = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** Source of a pattern for a small number: `3`, `三`, `二十五`, `三十`. */
export const NUMBER = '(?:\\d{1,4}|[零一二两三四五六七八九十]{1,3})';
/** Source of a pattern for a small number in English, in digits or as a word. */
export const ENGLISH_NUMBER = `(?:\\d{1,4}|${ENGLISH.slice(1).join('|')})`;

/** Reads a number up to ninety-nine in digits, in Chinese or in English words; NaN for anything else. */
export function readNumber(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const english = ENGLISH.indexOf(text.toLowerCase());
  return english >= 0 ? english : readChinese(text.replaceAll('两', '二'));
}

function readChinese(text: string): number {
  const [tens, ones, more] = text.split('十');
  if (more !== undefined || tens === undefined) return Number.NaN;
  if (ones === undefined) return tens.length === 1 ? digit(tens) : Number.NaN;
  const high = tens === '' ? 1 : digit(tens);
  return high * 10 + (ones === '' ? 0 : digit(ones));
}

function digit(character: string): number {
  const value = CHINESE_DIGITS.indexOf(character);
  return value >= 0 && character.length === 1 ? value : Number.NaN;
}
