import type { Reading } from '../language/reading.ts';
import type { AttachedFile } from '../prompt/prompt.ts';
import type { Goal, Intent } from './intent.ts';

const NOUN = /文件|附件|文档|材料|这份|pdf|表格里|\b(?:files?|attachments?|attached|documents?|spreadsheet|pdf)\b/i;
const NAME = /[\w\p{L}()-]+\.(?:pdf|docx?|xlsx?|csv|md|txt|html?|json|png|jpe?g)\b/iu;
const READ =
  /总结|概括|摘要|读|看|打开|讲了什么|说了什么|是什么|内容|分析|介绍|\b(?:summari[sz]e|summary|read|open|what(?:['’]s| is| does)|show|analy[sz]e|describe|tell me)\b/i;
const SEARCH =
  /(?:搜索|查找|找找?|搜|检索|有没有(?:提到|说|写)?|提到|查)(?:一下)?(?:所有)?(?:文件|附件|文档)?(?:里|中|里面)?(?:的|关于)?\s*(.+?)(?:的?(?:内容|部分|段落))?[吗?？。]*$/;
/** 把文件里的预算部分找出来 · 文件里谁是负责人 */
const SEARCH_INSIDE =
  /(?:文件|附件|文档|材料)(?:里面?|中|上)的?(.{2,30}?)(?:的?(?:内容|部分|段落))?(?:(?:给我)?(?:找|搜|查)(?:出来|到|一下)|(?=[吗?？]|$))/;
const QUESTION_WORDS = /谁是|是谁|是什么|什么是|什么|多少|是多少|有没有(?:提到|说|写)?|提到了?|关于|有|[吗呢?？]/g;
const SEARCH_ENGLISH =
  /\b(?:search|look|find|check|do|does)\b(?:.*?\b(?:for|about|mention(?:s|ing)?|say about|where)\b)\s+(.+?)(?:\s+in (?:the|my|these) (?:files?|documents?|attachments?))?[?.]*$/i;
const MOST_FILES = 3;

/** 总结一下这个文件 · Search the attached files for the budget */
export const files: Intent = {
  name: 'files',
  scenario: 'files',
  understand(clause, { reading }) {
    const named = NAME.exec(clause)?.[0];
    if (!named && !NOUN.test(clause)) return undefined;
    const query = searchQuery(clause);
    if (!query && !READ.test(clause)) return undefined;
    if (reading.files.length === 0) return { say: noFiles(reading) };
    return query ? searchGoal(query, reading) : readGoal(wanted(named, reading.files), reading);
  },
};

function searchQuery(clause: string): string | undefined {
  if (/总结|概括|[讲说写]了?(?:些|点)?什么|\bsummar/i.test(clause)) return undefined;
  const inside = SEARCH_INSIDE.exec(clause)?.[1]?.replace(QUESTION_WORDS, '');
  const asked = inside ?? (SEARCH_ENGLISH.exec(clause) ?? SEARCH.exec(clause))?.[1];
  const query = asked?.replace(/^[「“"']|[」”"']$/g, '').trim();
  return query && !NOUN.test(query) && query.length > 1 ? query : undefined;
}

function wanted(name: string | undefined, attached: readonly AttachedFile[]): AttachedFile[] {
  const byName = attached.filter((file) => name && file.name.toLowerCase() === name.toLowerCase());
  return byName.length > 0 ? byName : attached.slice(0, MOST_FILES);
}

function readGoal(chosen: readonly AttachedFile[], { say }: Reading): Goal {
  const names = chosen.map((file) => file.name).join(say('、', ', '));
  return {
    brief: say(`阅读并总结文件：${names}`, `Read and summarise: ${names}`),
    draft(plan) {
      for (const file of chosen) {
        plan.add({
          tool: 'files.read',
          task: say(`读取 ${file.name}`, `Read ${file.name}`),
          after: [],
          shown: true,
          prepare: () => ({ input: { file_id: file.file_id }, about: { name: file.name } }),
        });
      }
    },
  };
}

function searchGoal(query: string, { say }: Reading): Goal {
  const brief = say(`在文件中搜索「${query}」`, `Search the files for "${query}"`);
  return {
    brief,
    draft(plan) {
      plan.add({ tool: 'files.search', task: brief, after: [], shown: true, prepare: () => ({ input: { query } }) });
    },
  };
}

const noFiles = ({ say }: Reading) =>
  say(
    '这个会话里还没有文件。请先上传一个文件，我再来读。',
    'There are no files in this conversation yet. Upload one first, and I will read it.',
  );
