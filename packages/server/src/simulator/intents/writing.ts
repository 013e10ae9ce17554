import { calendarRead } from './calendar-read.ts';
import { contactsSearch } from './contacts.ts';
import type { Intent } from './intent.ts';

const WRITE =
  /(?:写|撰写|起草|生成|整理|制作|做)(?:一?[份篇个])?(?:关于|有关)?(.*?)(?:的)?(?:报告|文档|方案|总结|文章|周报|日报|纪要)|\b(?:write|draft|prepare|compose|make|create|generate)(?: me)?(?: an?| the| up)? ?(?:short |brief )?(?:report|document|memo|article|summary|note)(?: (?:about|on|of|for) (.+))?$/i;

/** 写一份关于新产品的报告 · Write a report about the new product: from what is remembered and attached. */
export const writing: Intent = {
  name: 'writing',
  scenario: 'writing',
  understand(clause, listener) {
    const { reading } = listener;
    const match = WRITE.exec(clause);
    if (!match) return undefined;
    const topic = (match[1] || match[2] || '').replace(/[。.!！?？]+$/, '').trim();
    // A report about next week's calendar is made of the calendar.
    const own = calendarRead.understand(topic, listener) ?? contactsSearch.understand(topic, listener);
    if (own) return own;
    const brief = reading.say(`写一份文档：${topic || clause.trim()}`, `Write a document: ${topic || clause.trim()}`);
    return {
      brief,
      draft(plan) {
        plan.add({
          tool: 'memory.search',
          task: reading.say('查找相关记忆', 'Look for what is remembered of it'),
          after: [],
          shown: true,
          prepare: () => ({ input: { query: topic || clause.trim() } }),
        });
        for (const file of reading.files.slice(0, 3)) {
          plan.add({
            tool: 'files.read',
            task: reading.say(`读取 ${file.name}`, `Read ${file.name}`),
            after: [],
            shown: true,
            prepare: () => ({ input: { file_id: file.file_id }, about: { name: file.name } }),
          });
        }
      },
    };
  },
};
