import { peopleIn } from '../language/people.ts';
import type { Reading } from '../language/reading.ts';
import type { Intent } from './intent.ts';

const NOUN =
  /联系人|联系方式|通讯录|电话|手机号|邮箱|\b(?:contacts?|contact info(?:rmation)?|phone(?: number)?|e-?mail(?: address)?|address book)\b/i;
const ASK =
  /查|找|搜|看|列|显示|有哪些|有没有|有谁|多少|的(?:联系方式|电话|手机号|邮箱)|是什么|给我|\b(?:find|search|look up|show|list|who|what(?:['’]s| is| are)?|get|give me|check|my|['’]s)\b|\?$/i;
const WHO_IS = /^(?:谁是\s*(\S+?)|(\S{2,4}?)是谁)[?？]?$|^who(?:['’]s| is) (\p{Lu}[\p{L}' -]+?)\??$/u;
/** lilei 的电话 · hanmeimei's email · the phone number of tom: pinyin and names without a capital. */
const LATIN_OWNER =
  /([\p{Script=Latin}][\p{Script=Latin} '’-]*?)\s*的\s*(?:联系方式|联系人|电话|手机|邮箱|邮件|号码)|(?<![\p{L}'’])((?!(?:what|who|where|how|that|it|find|get|show|give|look|check|me|my|is)\b)[\p{Script=Latin}-]+(?: [\p{Script=Latin}-]+)?)['’]s (?:contact|phone|e-?mail|number|mobile|address)|\b(?:phone|e-?mail|contact|number|address)(?: number| address| info\w*| details)? (?:of|for) (?!my\b|the\b|all\b)([\p{L}'’ -]+?)[?.!]*$/iu;
/** 查一下李雷 · find hanmeimei: a name and nothing else. */
const FIND =
  /^(?:请|帮我|麻烦|\s)*(?:查找|查询|搜索|查|找|搜)(?:一下|找)?\s*(\p{Script=Han}{2,4}|[\p{Script=Latin}'’-]+(?: [\p{Script=Latin}'’-]+)?)$|^(?:please )?(?:find|look up|search for) ([\p{L}'’-]+(?: [\p{L}'’-]+)?)[.!]*$/iu;
const NO_NAME = /^[我你您]的|^(?:my|the|a|an|all|some|any|it|this|that|me|out|i)\b/i;
const TEAM =
  /([\p{Script=Han}A-Za-z]{1,10}?[部组])(?:门|里|都|的)*(?:有(?:哪些|什么|几个)?(?:人|同事|谁)|有谁|的人)|谁(?:是|在)([\p{Script=Han}A-Za-z]{1,10}[部组])|\bwho (?:is|works|are|all is) (?:in|on|at) (?:the )?([\p{L} &-]+?)(?: department| team)?\??$/iu;
const OF_SOMEONE = /(?:联系人|contacts? (?:named|called)|contact)\s*[:：]?\s*(\S.*?)\s*$/i;
const ALL = /(?:所有|全部|我的)?(?:联系人|通讯录)$|\b(?:all )?(?:my )?contacts\??$|有哪些联系人/i;

/** 李雷的联系方式 · Find Li Lei in my contacts · 列出我的联系人 */
export const contactsSearch: Intent = {
  name: 'contacts.read',
  scenario: 'contacts',
  understand(clause, { reading }) {
    const asked = askedFor(clause, reading);
    const [owner] = firstGroup(LATIN_OWNER.exec(clause));
    if (!asked && !owner && !(NOUN.test(clause) && ASK.test(clause)) && !/的(?:联系方式|电话|邮箱)/.test(clause))
      return undefined;
    if (asked && /^[你我他她它您]们?$|^(?:i|you|he|she)$/i.test(asked)) return undefined;
    const named = asked ?? peopleIn(clause, reading.now)[0] ?? owner;
    const query = named ?? (ALL.test(clause.trim()) ? undefined : OF_SOMEONE.exec(clause)?.[1]);
    const brief = query
      ? reading.say(`查找联系人 ${query}`, `Look up ${query} in the contacts`)
      : reading.say('列出联系人', 'List the contacts');
    return {
      brief,
      draft(plan) {
        const step = query
          ? plan.lookUp(query)
          : plan.add({ tool: 'contacts.read', task: brief, after: [], prepare: () => ({ input: { limit: 50 } }) });
        plan.show(step);
      },
    };
  },
};

const firstGroup = (match: RegExpExecArray | null): string[] =>
  (match?.slice(1) ?? []).filter((group) => group !== undefined);

/** A person or a team that the sentence asks for, and for nothing else. */
function askedFor(clause: string, { now }: Reading): string | undefined {
  const [named] = [TEAM, WHO_IS].flatMap((pattern) => firstGroup(pattern.exec(clause)));
  if (named && !NO_NAME.test(named)) return named.trim();
  const [name] = firstGroup(FIND.exec(clause.trim()));
  // Two or three characters are a name only if they look like one.
  if (!name || NO_NAME.test(name) || NOUN.test(name)) return undefined;
  return /\p{Script=Han}/u.test(name) ? peopleIn(clause, now)[0] : name;
}
