import type { Reading } from './reading.ts';

/** Something that the user says of themselves. Two facts of one subject cannot both be true. */
export interface Fact {
  kind: 'fact' | 'preference' | 'work_profile';
  subject: string;
  value: string;
  content: string;
}

interface FactRule {
  kind: Fact['kind'];
  pattern: RegExp;
  subject(match: RegExpExecArray): string;
  value?(match: RegExpExecArray): string;
  chinese(match: RegExpExecArray): string;
  english(match: RegExpExecArray): string;
}

/** Preferences that exclude each other: who now prefers tea no longer prefers coffee. */
const RIVALS: readonly [string, RegExp][] = [
  ['drink', /茶|咖啡|美式|拿铁|可乐|果汁|\b(?:tea|coffee|latte|espresso|cola|juice)\b/i],
  [
    'meeting time',
    /(?:上午|下午|早上|晚上)?.*(?:开会|会议)|\b(?:morning|afternoon|evening)s?\b.*(?:meeting|call)|\bmeetings?\b.*\b(?:morning|afternoon|evening)/i,
  ],
  ['language', /中文|英文|英语|\b(?:chinese|english)\b/i],
  ['answers', /简短|简洁|详细|\b(?:short|brief|concise|detailed|long)\b.*(?:answer|repl)/i],
  ['theme', /深色|浅色|\b(?:dark|light) (?:mode|theme)\b/i],
];

function tasteSubject(value: string): string {
  return RIVALS.find(([, pattern]) => pattern.test(value))?.[0] ?? value.toLowerCase();
}

const group = (match: RegExpExecArray, ...at: number[]): string =>
  clean(at.map((index) => match[index]).find((text) => text !== undefined) ?? '');
const clean = (text: string) => text.replace(/^[\s：:「“"']+|[\s。.!！,，;；」”"']+$|(?:了|的|吧|呢)$/g, '').trim();

const NEGATIVE = /不|讨厌|受不了|\b(?:don['’]?t|do not|hate|dislike|can['’]?t stand|no longer|doesn['’]?t|does not)/i;

const RULES: readonly FactRule[] = [
  {
    kind: 'preference',
    pattern:
      /(?:以后|请)?(?:都)?(?:叫|称呼)我(?:为|作|做)?\s*(.{1,20})$|\b(?:just )?call me (.{1,40})$|我希望被称为(.+)$|\bI want to be called (.+)$/i,
    subject: () => 'name',
    chinese: (match) => `用户希望被称为${group(match, 1, 2, 3, 4)}`,
    english: (match) => `The user wants to be called ${group(match, 1, 2, 3, 4)}`,
  },
  {
    kind: 'fact',
    pattern: /我对(.{1,20}?)过敏|\bI(?:['’]?m| am) allergic to (.{1,40})$/i,
    subject: (match) => `allergy ${group(match, 1, 2)}`,
    chinese: (match) => `用户对${group(match, 1, 2)}过敏`,
    english: (match) => `The user is allergic to ${group(match, 1, 2)}`,
  },
  {
    kind: 'fact',
    pattern: /我(?:现在)?住在?(.{1,30})$|\bI (?:now )?live in (.{1,40})$/i,
    subject: () => 'home',
    chinese: (match) => `用户住在${group(match, 1, 2)}`,
    english: (match) => `The user lives in ${group(match, 1, 2)}`,
  },
  {
    kind: 'work_profile',
    pattern: /我(?:主要)?负责(.{1,40})$|\bI(?:['’]?m| am) (?:responsible for|in charge of) (.{1,60})$/i,
    subject: () => 'duty',
    chinese: (match) => `用户负责${group(match, 1, 2)}`,
    english: (match) => `The user is responsible for ${group(match, 1, 2)}`,
  },
  {
    kind: 'work_profile',
    pattern: /我是一[名位个](.{1,20})$|\bI (?:work|am working) as an? (.{1,40})$/i,
    subject: () => 'position',
    chinese: (match) => `用户是一名${group(match, 1, 2)}`,
    english: (match) => `The user works as a ${group(match, 1, 2)}`,
  },
  {
    kind: 'work_profile',
    pattern:
      /我的(?:直属)?(?:经理|上级|领导|老板|主管)(?:现在)?(?:是|叫)(.{1,20})$|\bmy (?:new )?(?:manager|boss|supervisor|team lead)(?: now)? is (?:now )?(.{1,40})$/i,
    subject: () => 'manager',
    chinese: (match) => `用户的上级是${group(match, 1, 2)}`,
    english: (match) => `The user's manager is ${group(match, 1, 2)}`,
  },
  {
    kind: 'preference',
    pattern:
      /我(?:现在|其实|一直|真的|最|很|特别|非常|更|比较)*(不再喜欢|不喜欢|不爱|讨厌|喜欢|偏好|习惯|爱)(.{1,40})$|\bI (?:now |really |always |actually |usually )*(no longer like|don['’]?t like|do not like|dislike|hate|like|love|prefer|enjoy) (?:to )?(.{1,60})$/i,
    subject: (match) => `taste ${tasteSubject(group(match, 2, 4))}`,
    value: (match) => `${NEGATIVE.test(match[1] ?? match[3] ?? '') ? 'not ' : ''}${group(match, 2, 4).toLowerCase()}`,
    chinese: (match) => `用户${chineseTaste(match[1] ?? match[3] ?? '')}${group(match, 2, 4)}`,
    english: (match) => `The user ${englishTaste(match[1] ?? match[3] ?? '')} ${group(match, 2, 4)}`,
  },
  {
    kind: 'fact',
    pattern: /我(?:的)?(?:生日|出生日期)(?:是|在|为)?\s*(.{2,20})$|\bmy birthday(?:['’]s| is)(?: on)? (.{2,30})$/i,
    subject: () => 'birthday',
    chinese: (match) => `用户的生日是${group(match, 1, 2)}`,
    english: (match) => `The user's birthday is ${group(match, 1, 2)}`,
  },
  {
    kind: 'fact',
    pattern:
      /我的((?!.{0,6}(?:会|日程|安排)).{1,12}?)(?:现在)?(?:是|叫|为)(.{1,40})$|\bmy ((?!.{0,20}(?:meeting|event|appointment|calendar))[a-z ]{2,30}?)(?: now)? is (.{1,60})$/i,
    subject: (match) => group(match, 1, 3).toLowerCase(),
    value: (match) => group(match, 2, 4).toLowerCase(),
    chinese: (match) => `用户的${group(match, 1, 3)}是${group(match, 2, 4)}`,
    english: (match) => `The user's ${group(match, 1, 3)} is ${group(match, 2, 4)}`,
  },
];

function chineseTaste(verb: string): string {
  if (NEGATIVE.test(verb)) return '不喜欢';
  return /prefer|偏好|更/i.test(verb) ? '更喜欢' : /习惯/.test(verb) ? '习惯' : '喜欢';
}
function englishTaste(verb: string): string {
  if (NEGATIVE.test(verb)) return 'does not like';
  return /prefer|偏好|更/i.test(verb) ? 'prefers' : /习惯/.test(verb) ? 'is used to' : 'likes';
}

const QUESTION =
  /[?？]\s*$|什么|吗$|谁|哪|几[月号点]|多少|呢$|^(?:what|who|when|where|which|do|does|did|is|are|am|can|could|how)\b/i;
const SENTENCES = /(?<=[。；;！!？?\n])|[，,]\s*(?:而且|并且|还有|另外)?|而且|并且|\s+and (?=(?:my|I)\b)/i;

/** What a text states about its writer. Questions state nothing. */
export function factsIn(text: string, reading: Pick<Reading, 'say'>): Fact[] {
  return text.split(SENTENCES).flatMap((sentence) => {
    const plain = clean(sentence);
    if (QUESTION.test(sentence.trim())) return [];
    const rule = RULES.find(({ pattern }) => pattern.test(plain));
    const match = rule?.pattern.exec(plain);
    if (!rule || !match) return [];
    const content = reading.say(rule.chinese(match), rule.english(match));
    return [
      { kind: rule.kind, subject: rule.subject(match), value: (rule.value?.(match) ?? content).toLowerCase(), content },
    ];
  });
}

/** A stored memory speaks of the user in the third person; read back, it is the user's own statement. */
export function factsInMemory(content: string, reading: Pick<Reading, 'say'>): Fact[] {
  const firstPerson = content
    .replace(/用户/g, '我')
    .replace(/\bthe user['’]s\b/gi, 'my')
    .replace(/\bthe user does not\b/gi, 'I do not')
    .replace(/\bthe user is\b/gi, 'I am')
    .replace(/\bthe user (\w+?)s\b/gi, 'I $1');
  return factsIn(firstPerson, reading);
}

/** The user is told of themselves as you. */
export function secondPerson(content: string): string {
  return content
    .replace(/^The user['’]s/i, 'your')
    .replace(/^The user is/i, 'you are')
    .replace(/^The user does not/i, 'you do not')
    .replace(/^The user (\w+?)s\b/i, 'you $1')
    .replace(/[.。]$/, '');
}
