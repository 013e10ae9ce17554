import { secondPerson, sentence } from '../language/facts.ts';
import { overlap } from '../language/overlap.ts';
import type { Reading } from '../language/reading.ts';
import { type Prepared, resultOf } from './draft.ts';
import type { Intent } from './intent.ts';
import { memoryContent } from './memory-content.ts';
import { profileAnswer } from './profile.ts';
import { memoriesIn } from './results.ts';

const REMEMBER =
  /^(?:请|麻烦)?(?:你)?(?:帮我|给我)?(?:记住|记下|记一下|记得)(?:一下)?[，,：:\s]*(.+)$|^(?:please )?(?:remember|keep in mind|note|don['’]t forget)(?: that)?[:,]?\s+(.+)$/is;
const FORGET =
  /^(?:请)?(?:你)?(?:帮我)?(?:忘掉|忘记|忘了|删除记忆|删掉记忆)[，,：:\s]*(?:关于)?(.+?)(?:这件事|的事|的记忆)?[。.]?$|^(?:please )?(?:forget|delete the memory|remove the memory)(?: (?:about|that))?\s+(.+?)[.]?$/is;
const EVERYTHING = /^(?:我的?)?(?:一切|所有|全部).*$|^(?:everything|all)\b/i;
const ABOUT_ME =
  /你(?:都|还)?(?:知道|了解|记得|记住了?).{0,6}我(?:的)?(?:什么|哪些|多少|些什么)?(?:事情?)?(?:吗|么)?[?？。]?$|(?:关于我|对我).{0,8}(?:知道|了解|记得|记忆)|\bwhat (?:do|have) you (?:know|remember|learned?)(?: about me)?|\bdo you (?:know|remember) (?:anything |something )?about me/i;
const ABOUT_MINE =
  /我(?:最|更|比较)?(?:不?喜欢|讨厌|爱|偏好|习惯).{0,12}(?:什么|哪|谁)|我的.{1,12}(?:是什么|是谁|是哪|在哪|是几|是多少|叫什么|什么时候|哪天)|我(?:住|在).{0,4}哪|我对.{0,4}什么|谁是我的.+|你(?:还)?记得(?:我)?.+[吗？?]|\b(?:what|who|when|where)(?:['’]s| is| are) my .+|\bwhat .*\bdo i (?:like|prefer|love|hate|enjoy)|\bwhere do i live|\bdo you remember .+/i;

/** 记住我喜欢喝茶 · Remember that my manager is Han Meimei */
export const memoryRemember: Intent = {
  name: 'memory.update',
  scenario: 'memory',
  greedy: 'sentence',
  understand(clause, { reading }) {
    const match = REMEMBER.exec(clause);
    const text = (match?.[1] ?? match?.[2])?.trim();
    if (!text || /[吗?？]$/.test(text)) return undefined;
    const brief = reading.say(`记住：${text}`, `Remember: ${text}`);
    return {
      brief,
      draft(plan) {
        plan.add({
          tool: 'memory.update',
          task: brief,
          after: [],
          shown: true,
          prepare: () => ({ input: memoryContent(text, reading), about: { text } }),
        });
      },
    };
  },
};

/** 忘掉我喜欢咖啡 · Forget my birthday */
export const memoryForget: Intent = {
  name: 'memory.forget',
  scenario: 'memory',
  greedy: 'sentence',
  understand(clause, { reading }) {
    const match = FORGET.exec(clause);
    const what = (match?.[1] ?? match?.[2])?.trim();
    if (!what || /^it\b/i.test(what)) return undefined;
    if (EVERYTHING.test(what)) return { say: tooMuch(reading) };
    const brief = reading.say(`忘掉：${what}`, `Forget: ${what}`);
    return {
      brief,
      draft(plan) {
        const search = plan.add({
          tool: 'memory.search',
          task: reading.say(`查找关于「${what}」的记忆`, `Look for memories of "${what}"`),
          after: [],
          prepare: () => ({ input: { query: what } }),
        });
        plan.add({
          tool: 'memory.forget',
          task: brief,
          after: [search],
          shown: true,
          prepare: (outcomes): Prepared => forgetInput(resultOf(outcomes, search), what, reading),
        });
      },
    };
  },
};

function forgetInput(result: unknown, what: string, { say }: Reading): Prepared {
  // What was learned goes, and the words that it was learned from with it.
  const ranked = memoriesIn(result)
    .filter((memory) => memory.kind !== 'turn')
    .map((memory) => ({ memory, score: overlap(what, memory.content) }))
    .toSorted((one, other) => other.score - one.score);
  const best = ranked.find(({ score }) => score > 0)?.memory;
  if (!best) return { obstacle: say(`没有找到关于「${what}」的记忆。`, `I found no memory of "${what}".`) };
  return { input: { memory_id: best.memory_id }, about: { content: best.content } };
}

const tooMuch = ({ say }: Reading) =>
  say(
    '一次忘掉全部需要你亲自确认：请在记忆页面逐条删除，或调用 DELETE /api/v1/memories。（内置模拟器）',
    'Forgetting everything at once is for you to confirm: delete it on the memory page, or with DELETE /api/v1/memories. (built-in simulator)',
  );

/** 你知道我什么 · What do you know about me? · 我喜欢喝什么 · Who is my manager? */
export const memoryRecall: Intent = {
  name: 'memory.search',
  scenario: 'memory',
  understand(clause, { reading }) {
    const everything = ABOUT_ME.test(clause);
    if (!everything && !ABOUT_MINE.test(clause)) return undefined;
    if (!everything) {
      const known = profileAnswer(clause, reading) ?? recalled(clause, reading);
      if (known) return { say: known };
    }
    const query = everything ? whoTheyAre(reading) : asStated(clause, reading);
    const brief = reading.say(`查找记忆：${query}`, `Search the memory: ${query}`);
    return {
      brief,
      draft(plan) {
        plan.add({
          tool: 'memory.search',
          task: brief,
          after: [],
          shown: true,
          prepare: () => ({ input: { query }, about: { everything } }),
        });
      },
    };
  },
};

const QUESTION = /[?？]\s*$|什么|谁|哪|多少|几|吗$|^(?:what|who|when|where|which|how)\b/i;
/** How much of a question a memory must speak of to be its answer. */
const ANSWERS = 0.6;

/** What is the wifi password?: any question whose answer was told before. */
export const memoryAnswer: Intent = {
  name: 'memory.answer',
  scenario: 'memory',
  understand(clause, { reading }) {
    const known = QUESTION.test(clause) ? recalled(clause, reading, ANSWERS) : undefined;
    return known ? { say: known } : undefined;
  },
};

/** Asked for everything, a search needs words that memories of a person have in them. */
const whoTheyAre = ({ say }: Reading) =>
  say(
    '关于我：喜欢、偏好、生日、工作、上级、习惯',
    'about me, the user: likes, preferences, birthday, work, manager, habits',
  );

const TASTE = /(?:不?喜欢|讨厌|爱|偏好|习惯)/;
const ENGLISH_TASTE = /\b(?:like|prefer|love|hate|enjoy)\b/i;

const SUPERIOR = /经理|领导|老板|主管|上司|\b(?:boss|supervisor|team lead)\b/i;

/** Memories are statements: a search needs the words in which such things are kept. */
function asStated(clause: string, { say }: Reading): string {
  const question = clause.replace(/[?？。.!！]+$/, '').trim();
  if (SUPERIOR.test(question)) return `${question} ${say('用户的上级', "the user's manager")}`;
  if (!TASTE.test(question) && !ENGLISH_TASTE.test(question)) return question;
  return `${question} ${say('用户喜欢 更喜欢 偏好 习惯', 'The user likes, prefers, is used to')}`;
}

/** The prompt carries what is near to the message: often the answer is there already. */
function recalled(clause: string, reading: Reading, least = 0.3): string | undefined {
  const { memory, say } = reading;
  const ranked = memory
    .map((known) => ({ known, score: overlap(clause, known.content) }))
    .filter(({ score }) => score >= least)
    .toSorted((one, other) => other.score - one.score);
  const best = ranked[0]?.known.content;
  const told = best && sentence(secondPerson(best), reading);
  return told && say(`我记得：${told}`, `I remember: ${told}`);
}
