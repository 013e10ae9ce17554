import { peopleIn } from '../language/people.ts';
import type { Intent } from './intent.ts';

const NOUN =
  /联系人|联系方式|通讯录|电话|手机号|邮箱|\b(?:contacts?|contact info(?:rmation)?|phone(?: number)?|e-?mail(?: address)?|address book)\b/i;
const ASK =
  /查|找|搜|看|列|显示|有哪些|有谁|多少|的(?:联系方式|电话|手机号|邮箱)|是什么|给我|\b(?:find|search|look up|show|list|who|what(?:['’]s| is| are)?|get|give me|check|my|['’]s)\b|\?$/i;
const WHO_IS = /^(?:谁是\s*(\S+?)|(\S{2,4}?)是谁)[?？]?$|^who(?:['’]s| is) (\p{Lu}[\p{L}' -]+?)\??$/u;
const OF_SOMEONE = /(?:联系人|contacts? (?:named|called)|contact)\s*[:：]?\s*(\S.*?)\s*$/i;
const ALL = /(?:所有|全部|我的)?(?:联系人|通讯录)$|\b(?:all )?(?:my )?contacts\??$|有哪些联系人/i;

/** 李雷的联系方式 · Find Li Lei in my contacts · 列出我的联系人 */
export const contactsSearch: Intent = {
  name: 'contacts.read',
  scenario: 'contacts',
  understand(clause, { reading }) {
    const who = WHO_IS.exec(clause);
    const asked = who?.[1] ?? who?.[2] ?? who?.[3];
    if (!asked && !(NOUN.test(clause) && ASK.test(clause)) && !/的(?:联系方式|电话|邮箱)/.test(clause))
      return undefined;
    if (asked && /^[你我他她它您]们?$|^(?:i|you|he|she)$/i.test(asked)) return undefined;
    const named = asked ?? peopleIn(clause, reading.now)[0];
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
