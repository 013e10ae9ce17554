import { Temporal } from 'temporal-polyfill';
import { readMoment } from './moments.ts';

/** Something that the user says of themselves. Two facts of one subject cannot both be true. */
export interface Fact {
  kind: 'fact' | 'preference' | 'work_profile';
  subject: string;
  /** What is said of the subject, bare: 韩梅梅, tea. */
  object: string;
  /** The object in the form in which two facts are compared. */
  value: string;
  chinese: string;
  english: string;
}

/** One way of stating something about oneself. */
export interface FactRule {
  pattern: RegExp;
  read(match: RegExpExecArray): Fact;
}

export const trimmed = (text: string): string =>
  text.replace(/^[\s：:「“"']+|[\s。.!！,，;；」”"']+$/g, '').replace(/(?:了|的|吧|呢)$/, '');

const firstOf = (groups: readonly (string | undefined)[]): string =>
  trimmed(groups.find((group) => group !== undefined) ?? '');

/** A statement whose object stands in the first group that matched; `{}` in the sentences is the object. */
function about(
  kind: Fact['kind'],
  subject: string | ((object: string) => string),
  pattern: RegExp,
  chinese: string,
  english: string,
): FactRule {
  return {
    pattern,
    read(match) {
      const object = firstOf(match.slice(1));
      return {
        kind,
        subject: typeof subject === 'string' ? subject : subject(object),
        object,
        value: subject === 'birthday' ? (monthAndDay(object) ?? object) : object.toLowerCase(),
        chinese: chinese.replace('{}', object),
        english: english.replace('{}', object),
      };
    },
  };
}

const LEAP_YEAR = Temporal.ZonedDateTime.from('2024-06-01T00:00[UTC]');

/** 5月1日 and May 1st are 05-01; with a year, 1990-05-01. */
export function monthAndDay(text: string): string | undefined {
  const written = /^(?:\d{4}-)?\d{2}-\d{2}$/.exec(text)?.[0];
  const day = written ? undefined : readMoment(text, LEAP_YEAR).day?.toString();
  return written ?? (/\d{4}/.test(text) ? day : day?.slice(5));
}

/** Preferences that exclude each other: who now prefers tea no longer prefers coffee. */
const RIVALS: readonly [string, RegExp][] = [
  ['drink', /茶|咖啡|美式|拿铁|可乐|果汁|\b(?:tea|coffee|latte|espresso|cola|juice)\b/i],
  ['meeting time', /开会|会议|早会|\bmeetings?\b/i],
  ['language', /中文|英文|英语|\b(?:chinese|english)\b/i],
  ['answers', /简短|简洁|详细|\b(?:short|brief|concise|detailed|long)\b.*(?:answer|repl)/i],
  ['theme', /深色|浅色|\b(?:dark|light) (?:mode|theme)\b/i],
];

const NEGATIVE = /不|讨厌|\b(?:don['’]?t|do not|hate|dislike|no longer)/i;
const STRONGER = /prefer|偏好|更/i;

const taste: FactRule = {
  pattern:
    /我(?:现在|其实|一直|真的|最|很|特别|非常|比较)*(不再喜欢|不喜欢|不爱|讨厌|更喜欢|喜欢|偏好|习惯|爱)(.{1,40})$|\bI (?:now |really |always |actually |usually )*(no longer like|don['’]?t like|do not like|dislike|hate|like|love|prefer|enjoy) (?:to )?(.{1,60})$/i,
  read(match) {
    const verb = match[1] ?? match[3] ?? '';
    const object = firstOf([match[2], match[4]]);
    const negative = NEGATIVE.test(verb);
    const rival = RIVALS.find(([, pattern]) => pattern.test(object))?.[0];
    const chinese = negative ? '不喜欢' : STRONGER.test(verb) ? '更喜欢' : verb === '习惯' ? '习惯' : '喜欢';
    const english = negative
      ? 'does not like'
      : STRONGER.test(verb)
        ? 'prefers'
        : verb === '习惯'
          ? 'is used to'
          : 'likes';
    return {
      kind: 'preference',
      subject: `taste ${rival ?? object.toLowerCase()}`,
      object,
      value: `${negative ? 'not ' : ''}${object.toLowerCase()}`,
      chinese: `用户${chinese}${object}`,
      english: `The user ${english} ${object}`,
    };
  },
};

/** 我的车牌是… · my dog is called …; events are for the calendar. */
const possession: FactRule = {
  pattern:
    /我的((?!.{0,6}(?:会|日程|安排)).{1,12}?)(?:现在)?(?:是|叫|为)(.{1,40})$|\bmy ((?!.{0,20}(?:meeting|event|appointment|calendar))[a-z ]{2,30}?)(?: now)? is (?:called )?(.{1,60})$/i,
  read(match) {
    const subject = firstOf([match[1], match[3]]);
    const object = firstOf([match[2], match[4]]);
    return {
      kind: 'fact',
      subject: subject.toLowerCase(),
      object,
      value: object.toLowerCase(),
      chinese: `用户的${subject}是${object}`,
      english: `The user's ${subject} is ${object}`,
    };
  },
};

export const FACT_RULES: readonly FactRule[] = [
  about(
    'preference',
    'name',
    /(?:以后|请)?(?:都)?(?:叫|称呼)我(?:为|作|做)?\s*(.{1,20})$|\b(?:just )?call me (.{1,40})$|我希望被称为(.+)$|\bI want to be called (.+)$/i,
    '用户希望被称为{}',
    'The user wants to be called {}',
  ),
  about(
    'fact',
    (object) => `allergy ${object.toLowerCase()}`,
    /我对(.{1,20}?)过敏|\bI(?:['’]?m| am) allergic to (.{1,40})$/i,
    '用户对{}过敏',
    'The user is allergic to {}',
  ),
  about(
    'fact',
    'home',
    /我(?:现在)?住在?(.{1,30})$|\bI (?:now )?live in (.{1,40}?)(?: now)?$/i,
    '用户住在{}',
    'The user lives in {}',
  ),
  about(
    'work_profile',
    'duty',
    /我(?:主要)?负责(.{1,40})$|\bI(?:['’]?m| am) (?:responsible for|in charge of) (.{1,60})$/i,
    '用户负责{}',
    'The user is responsible for {}',
  ),
  about(
    'work_profile',
    'position',
    /我是一[名位个](.{1,20})$|\bI (?:work|am working) as an? (.{1,40})$/i,
    '用户是一名{}',
    'The user works as a {}',
  ),
  about(
    'work_profile',
    'manager',
    /我的(?:直属)?(?:经理|上级|领导|老板|主管)(?:现在)?(?:是|叫)(.{1,20})$|\bmy (?:new )?(?:manager|boss|supervisor|team lead)(?: now)? is (?:now )?(.{1,40})$/i,
    '用户的上级是{}',
    "The user's manager is {}",
  ),
  taste,
  about(
    'fact',
    'birthday',
    /我(?:的)?(?:生日|出生日期)(?:是|在|为)?\s*(.{2,20})$|\bmy birthday(?:['’]s| is)(?: on)? (.{2,30})$/i,
    '用户的生日是{}',
    "The user's birthday is {}",
  ),
  possession,
];
