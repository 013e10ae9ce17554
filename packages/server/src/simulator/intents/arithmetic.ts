import type { Intent } from './intent.ts';

const QUESTION =
  /^(?:请问|帮我算一?下|算一?下|计算|(?:please )?(?:what(?:['’]s| is)|calculate|compute|how much is))?[:：\s]*([\d\s.+\-*/×÷^%()（）加减乘以除plusminutesdvby]+?)\s*(?:=|＝|等于)?\s*(?:多少|几|\?|？)*$/i;
const WORDS: readonly [RegExp, string][] = [
  [/×|乘以|乘|\btimes\b|\bmultiplied by\b/gi, '*'],
  [/÷|除以|\bdivided by\b/gi, '/'],
  [/加|\bplus\b/gi, '+'],
  [/减|\bminus\b/gi, '-'],
  [/（/g, '('],
  [/）/g, ')'],
];

/** 12*8+3等于多少 · What is (3 + 4) * 5? */
export const arithmetic: Intent = {
  name: 'arithmetic',
  scenario: 'chat',
  understand(clause) {
    const written = QUESTION.exec(clause.trim())?.[1];
    if (!written) return undefined;
    const expression = WORDS.reduce((text, [from, to]) => text.replace(from, to), written).replace(/\s+/g, '');
    if (!/^[\d.+\-*/^%()]+$/.test(expression) || !/\d[+\-*/^%]+\(*-?[\d.]/.test(expression)) return undefined;
    const value = evaluate(expression);
    if (value === undefined || !Number.isFinite(value)) return undefined;
    return { say: `${expression} = ${Number(value.toPrecision(12))}` };
  },
};

/** A sum is products, a product is powers, a power is numbers and parentheses. */
export function evaluate(expression: string): number | undefined {
  let at = 0;
  const take = (characters: string): string | undefined => {
    const next = expression[at];
    if (next === undefined || !characters.includes(next)) return undefined;
    at += 1;
    return next;
  };
  const atom = (): number => {
    if (take('-')) return -atom();
    if (take('(')) {
      const inside = sum();
      return take(')') ? inside : Number.NaN;
    }
    const digits = /^\d+(?:\.\d+)?/.exec(expression.slice(at))?.[0] ?? '';
    at += digits.length;
    return digits === '' ? Number.NaN : Number(digits);
  };
  const power = (): number => {
    const base = atom();
    return take('^') ? base ** power() : base;
  };
  const product = (): number => {
    let value = power();
    for (let sign = take('*/%'); sign; sign = take('*/%')) {
      const next = power();
      value = sign === '*' ? value * next : sign === '/' ? value / next : value % next;
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    for (let sign = take('+-'); sign; sign = take('+-')) {
      const next = product();
      value = sign === '+' ? value + next : value - next;
    }
    return value;
  };
  const value = sum();
  return at === expression.length && !Number.isNaN(value) ? value : undefined;
}
