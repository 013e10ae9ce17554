import { FACT_RULES, type Fact, monthAndDay, trimmed } from './fact-rules.ts';

const QUESTION =
  /[?？]\s*$|什么|吗$|谁|哪|几[月号点]|多少|呢$|^(?:what|who|when|where|which|do|does|did|is|are|am|can|could|how)\b/i;
const SENTENCES = /(?<=[。；;！!？?\n])|[，,]\s*(?:而且|并且|还有|另外)?|而且|并且|\s+and (?=(?:my|I)\b)/i;

/** What a text states about its writer. Questions state nothing. */
export function factsIn(text: string): Fact[] {
  return text.split(SENTENCES).flatMap((sentence) => {
    if (QUESTION.test(sentence.trim())) return [];
    const plain = trimmed(sentence);
    for (const { pattern, read } of FACT_RULES) {
      const match = pattern.exec(plain);
      if (match) return [read(match)];
    }
    return [];
  });
}

/** Memories that were filed under a label rather than told in a sentence: 上级: 韩梅梅. */
const LABELS: readonly [string, RegExp][] = [
  ['name', /^(?:昵称|Nickname): (.+)$/],
  ['birthday', /^(?:生日|Birthday): (.+)$/],
  ['home', /^(?:所在地|Location): (.+)$/],
  ['manager', /^(?:上级|Manager): (.+)$/],
  ['position', /^(?:职位|Job title): (.+)$/],
  ['duty', /^(?:职责|Responsibility): (.+)$/],
];

/** What a stored memory says, as subject and value. It speaks of the user in the third person, or under a label. */
export function factsInMemory(content: string): { subject: string; value: string }[] {
  for (const [subject, pattern] of LABELS) {
    const object = pattern.exec(content)?.[1];
    if (object)
      return [{ subject, value: subject === 'birthday' ? (monthAndDay(object) ?? object) : object.toLowerCase() }];
  }
  const firstPerson = content
    .replace(/用户/g, '我')
    .replace(/\bthe user['’]s\b/gi, 'my')
    .replace(/\bthe user does not\b/gi, 'I do not')
    .replace(/\bthe user is\b/gi, 'I am')
    .replace(/\bthe user (\w+?)s\b/gi, 'I $1');
  return factsIn(firstPerson);
}

const CLOSED = /[\s。.！!；;]+$/;

/** Ends with one full stop, however the text ended. */
export const sentence = (text: string, { say }: { say(chinese: string, english: string): string }): string =>
  /[?？…」”"）)]$/.test(text) ? text : `${text.replace(CLOSED, '')}${say('。', '.')}`;

/** What somebody said of themselves, told to them: facts as facts, anything else in their own words. */
export function toldBack(text: string, { say }: { say(chinese: string, english: string): string }): string {
  const facts = factsIn(text).map(({ chinese, english }) => secondPerson(say(chinese, english)));
  const told = facts.length > 0 ? facts.join(say('；', '; ')) : text.replace(CLOSED, '');
  return sentence(told, { say });
}

/** The user is told of themselves as you. */
export function secondPerson(content: string): string {
  return content
    .replace(/^用户/, '你')
    .replace(/^The user['’]s/i, 'your')
    .replace(/^The user is/i, 'you are')
    .replace(/^The user does not/i, 'you do not')
    .replace(/^The user (\w+?)s\b/i, 'you $1')
    .replace(CLOSED, '');
}
