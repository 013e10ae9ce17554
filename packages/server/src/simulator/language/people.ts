import type { Temporal } from 'temporal-polyfill';
import { readMoment } from './moments.ts';

/** Most Chinese names begin with one of these; it tells 和李雷开会 from 和客户开会. */
const SURNAMES =
  '李王张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文小老';
const NOT_NAMES =
  /^(方案|方便|文档|文件|任务|时间|金额|高层|程序|常规|何时|周会|周报|马上|白板|小时|小组|老板|老师|小会|于是|文章|万一|任何|小王子|方式|方面)/;

const BEFORE =
  '(?:[把将](?=\\S{2,3}[加拉])|和|跟|与|同|约|邀请|请|通知|告诉|转告|联系|联系人|找|找到|查|搜索|查找|查询|一下|给|叫|、|是|我|^|\\s|，|,)';
const AFTER =
  '(?=一起|一对一|1对1|开|见|吃|喝|讨论|聊|谈|碰|打|的|参加|加入|来|去|，|,|、|和|跟|与|。|？|\\?|！|\\s|$|[a-zA-Z0-9]|在|过|对|做|进行|确认|沟通|商量|约|改|推|加|拉|并|再|发|是|有|这)';
const CHINESE_NAME = new RegExp(`${BEFORE}((?:[${SURNAMES}])\\p{Script=Han}{1,2}?)${AFTER}`, 'gu');

/** O'Brien is one name; the 's of Tom's is none of it. */
const CAPITALISED_WORD = "\\p{Lu}(?:[\\p{Script=Latin}-]|['’](?!s\\b))*";
const CAPITALISED = `${CAPITALISED_WORD}(?: ${CAPITALISED_WORD}){0,2}`;
/** One invites Tom, talks to Tom and adds Tom to a meeting; a trip to Tokyo, and adding a Team lunch, is about nobody. */
const LATIN_NAME = new RegExp(
  `(?:\\b(?:with|invite|inviting|tell|notify|inform|ask|and|from|let|remind|contact|find|is|meet|meeting|call|(?<=\\b(?:talk|speak|send|share|write|give|it|this) )to|add(?= [^,.]* to (?:my|the|this|that|it)\\b(?! (?:calendar|schedule|agenda|contacts))))|[和跟与约请知诉给、]) ?(${CAPITALISED})`,
  'gu',
);
/** Joe's, where somebody eats at Joe's, is a place. */
const POSSESSIVE = new RegExp(`(?<!\\b(?:at|in) )\\b(${CAPITALISED})['’]s\\b`, 'gu');
const LOWER_CASE = /\b(?:with|invite|tell|notify|inform)\s+(\p{Ll}[\p{L}'’-]+(?: \p{Ll}[\p{L}'’-]+)?)/gu;
const HAN_AFTER_ENGLISH = /\b(?:with|invite|tell|notify|inform|find|for|and)\s+(\p{Script=Han}{2,4})/gu;

/** Words that follow with and tell but are nobody's name. */
const NOBODY =
  /^(i|i'm|my|me|the|our|a|an|him|her|them|us|it|its|this|that|these|those|everyone|everybody|all|you|your|his|their|please|what|who|how|when|where|some|no|one|someone|today|tomorrow)\b/i;
const STOP = /\s+(?:on|at|to|for|from|about|and|in|by|that|next|this|if|it|is|are)\b.*$/i;

/** A sentence begins with a capital, and so do names. */
const LEADING_VERB = /^(?:With|Invite|Tell|Notify|Inform|Ask|Let|Remind|Contact|Find|Add)\b/;

/** The people a sentence names, in the order they are named. Times are left out first: 周五 is no one. */
export function peopleIn(text: string, now: Temporal.ZonedDateTime): string[] {
  const rest = readMoment(text, now).rest.replace(LEADING_VERB, (verb) => verb.toLowerCase());
  const found: { at: number; name: string }[] = [];
  for (const pattern of [CHINESE_NAME, HAN_AFTER_ENGLISH, LATIN_NAME, POSSESSIVE, LOWER_CASE]) {
    for (const match of rest.matchAll(pattern)) {
      const name = (match[1] ?? '')
        .replace(STOP, '')
        .replace(/['’]s$/, '')
        .trim();
      if (name.length > 1 && !NOBODY.test(name) && !NOT_NAMES.test(name)) found.push({ at: match.index, name });
    }
  }
  const inOrder = found.toSorted((one, other) => one.at - other.at).map(({ name }) => name);
  // A name that is part of a longer one found as well is the same person.
  const whole = inOrder.filter((name) => !inOrder.some((other) => other !== name && other.includes(name)));
  return [...new Set(whole)];
}

const CHINESE_PRONOUN = /(?<![其吉])[他她](?!们)/g;
const ENGLISH_PRONOUN = /\b(?:him|her)\b/gi;
const ENGLISH_POSSESSIVE = /\bhis\b/gi;

/** Puts the person last spoken of in place of him, her, 他, 她. */
export function resolvePronouns(text: string, person: string | undefined): string {
  if (!person) return text;
  return text
    .replace(CHINESE_PRONOUN, person)
    .replace(ENGLISH_POSSESSIVE, `${person}'s`)
    .replace(ENGLISH_PRONOUN, person);
}
