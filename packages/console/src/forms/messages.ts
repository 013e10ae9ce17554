import { isApiError } from '../api/index.ts';
import { type Language, useLanguage } from '../language/index.ts';

type Rule = readonly [pattern: RegExp, zh: string, en: string];

/** Schemas and server complain in English, for engineers; here is what the person at the form is told. */
const RULES: readonly Rule[] = [
  [/BCP-47/, '请填写语言代码，例如 zh-CN 或 en', 'A language tag, such as zh-CN or en'],
  [/IANA time zone/, '请填写时区名称，例如 Asia/Shanghai', 'A time zone such as Asia/Shanghai'],
  [/ISO 3166-1/, '请填写两位国家代码，例如 CN', 'A country code of two letters, such as CN'],
  [/white space/, '不能只有空格', 'Not only spaces, please'],
  [/one line of text/, '只能是一行文字', 'One line of text, please'],
  [/visible characters/, '只能是可见字符', 'Visible characters only'],
  [/lower case letters, digits and hyphens/, '只能用小写字母、数字和连字符', 'Lower case letters, digits and hyphens'],
  [/printable characters without spaces/, '不能有空格或中文', 'No spaces, and ASCII only'],
  [/CNY as a decimal string/, '请填写金额，例如 100 或 99.5', 'An amount such as 100 or 99.5'],
  [/Invalid email/i, '邮箱地址不正确', 'This is not an email address'],
  [/Invalid URL/i, '网址不正确，应以 http:// 或 https:// 开头', 'An address that begins with http:// or https://'],
  [/Too small: expected string to have >=1 /, '请填写', 'Please fill this in'],
  [/received undefined/, '请填写', 'Please fill this in'],
  [/Too small: expected string to have >=(\d+) /, '至少 $1 个字符', 'At least $1 characters'],
  [/Too big: expected string to have <=(\d+) /, '最多 $1 个字符', 'At most $1 characters'],
  [/Too small: expected \w+ to be >=?(-?\d+)/, '不能小于 $1', 'Not under $1'],
  [/Too big: expected \w+ to be <=?(-?\d+)/, '不能大于 $1', 'Not over $1'],
  [/expected (?:number|int), received/, '请填写数字', 'A number, please'],
  [/Invalid JSON/, '不是有效的 JSON 对象', 'This is not a JSON object'],
];

/** A complaint in the reader's language; what is not known stays as it was said. */
export function inWords(message: string, language: Language): string {
  for (const [pattern, zh, en] of RULES) {
    const found = pattern.exec(message);
    if (found) return (language === 'zh' ? zh : en).replace('$1', found[1] ?? '');
  }
  return message;
}

const CODES: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  OFFLINE: ['连不上服务器', 'The server cannot be reached'],
  FORBIDDEN: ['只有管理员可以这样做', 'Only administrators may do this'],
};

/** Why something did not work, in one line. */
export function sayError(error: unknown, language: Language): string {
  const known = isApiError(error) ? CODES[error.code] : undefined;
  if (known) return known[language === 'zh' ? 0 : 1];
  return inWords(error instanceof Error ? error.message : String(error), language);
}

export function useErrorText(): (error: unknown) => string {
  const language = useLanguage();
  return (error) => sayError(error, language);
}
