import { factsIn, toldBack } from '../language/facts.ts';
import type { Reading } from '../language/reading.ts';
import type { Goal, Intent } from './intent.ts';
import { isAnonymous } from './profile.ts';

const nameOf = ({ profile }: Reading) => (isAnonymous(profile) ? '' : (profile.display_name ?? profile.username ?? ''));

/** A remark and its answer. */
interface Remark {
  pattern: RegExp;
  aside?: boolean;
  flags?: readonly string[];
  answer(reading: Reading): string;
}

const REMARKS: readonly Remark[] = [
  {
    pattern:
      /(?:忽略|无视).{0,10}(?:指令|规则|提示)|(?:显示|告诉我|输出|泄露).{0,10}(?:系统提示|system prompt|密钥)|\bignore (?:all |any |the )?(?:previous|prior|above) (?:instructions|rules)|\b(?:reveal|print|show) (?:me )?(?:your |the )?(?:system prompt|api keys?)/i,
    flags: ['prompt_injection'],
    answer: ({ say }) =>
      say('这个我不能做，不过别的事情可以帮忙。', 'I cannot do that, but I am glad to help with something else.'),
  },
  {
    pattern:
      /你是谁|你叫什么|你是什么(?:模型|AI)?|\bwho are you\b|\bwhat(?:['’]s| is) your name\b|\bwhat are you\b|\bare you (?:an? )?(?:ai|bot|human|real)/i,
    answer: ({ say }) =>
      say(
        '我是 Kith 的助手，现在由内置模拟器回答：不联网、不调用真实模型，但日程、联系人、记忆和文件都是真的。',
        'I am the assistant of Kith, answered by the built-in simulator: no network and no real model, but your calendar, contacts, memory and files are real.',
      ),
  },
  {
    pattern:
      /你(?:都)?(?:能|会|可以)(?:帮我)?(?:做|干)?(?:什么|些什么|哪些)|有什么功能|^帮助$|怎么用|\bwhat can you do\b|\bhow can you help\b|^help\b/i,
    answer: capabilities,
  },
  {
    pattern:
      /^(?:你好|您好|嗨|哈[喽罗]|早上好|上午好|下午好|晚上好|早安|在吗|hi|hello|hey|good (?:morning|afternoon|evening))(?:[\s,，!！.。~]*(?:呀|啊|there|kith|everyone))?[\s,，!！.。~?？]*$/i,
    aside: true,
    answer(reading) {
      const name = nameOf(reading);
      return reading.say(
        `你好${name ? `，${name}` : ''}！有什么可以帮你的？（内置模拟器）`,
        `Hello${name ? `, ${name}` : ''}! How can I help? (built-in simulator)`,
      );
    },
  },
  {
    pattern: /^(?:非常)?(?:谢谢|多谢|感谢|辛苦了)|^(?:thanks?|thank you|thx|cheers)\b/i,
    aside: true,
    answer: ({ say }) => say('不客气！（内置模拟器）', 'You are welcome! (built-in simulator)'),
  },
  {
    pattern: /^(?:再见|拜拜|回头见|晚安)|^(?:bye|goodbye|see you|good night)\b/i,
    aside: true,
    answer: ({ say }) => say('再见，祝你一切顺利！（内置模拟器）', 'Goodbye, take care! (built-in simulator)'),
  },
  {
    pattern:
      /^(?:好[的吧啊]?|行|可以|嗯+|哦+|明白了?|知道了|收到|没事了?|不用了?|算了|哈{2,}|不错|太好了|真?棒|ok(?:ay)?|got it|great|nice|cool|perfect|sounds good|all ?right|never mind|lol|(?:ha){2,}|wow|awesome|well done)[\s,，!！.。~呀啊啦]*$/i,
    aside: true,
    answer: ({ say }) =>
      say(
        '好的，还需要什么就告诉我。（内置模拟器）',
        'All right. Tell me if you need anything else. (built-in simulator)',
      ),
  },
  {
    pattern: /你好吗|最近怎么样|\bhow are you\b|\bhow['’]s it going\b|\bwhat['’]s up\b/i,
    answer: ({ say }) =>
      say('我很好，随时待命。（内置模拟器）', 'I am well, and at your service. (built-in simulator)'),
  },
  {
    pattern: /笑话|\bjoke\b/i,
    answer: ({ say }) =>
      say(
        '为什么日历总是很自信？因为它的日子都数得清。（内置模拟器）',
        'Why was the calendar so confident? Its days were numbered, and it knew. (built-in simulator)',
      ),
  },
];

export const smalltalk: Intent = {
  name: 'smalltalk',
  scenario: 'chat',
  understand(clause, { reading }): Goal | undefined {
    const remark = REMARKS.find(({ pattern }) => pattern.test(clause));
    if (!remark) return undefined;
    const { aside, flags } = remark;
    return { say: remark.answer(reading), ...(aside ? { aside } : {}), ...(flags ? { flags } : {}) };
  },
};

function capabilities({ say }: Reading): string {
  return say(
    [
      '我可以（内置模拟器）：',
      '- 告诉你我知道的你是谁：「我是谁」',
      '- 查询、创建、修改、取消日程：「帮我查一下我下周的日程」「明天下午三点和李雷开会一小时」',
      '- 查找联系人、邀请参与者：「李雷的联系方式」',
      '- 记住、回忆、忘掉：「记住我喜欢喝茶」「你知道我什么」「忘掉我喜欢喝茶」',
      '- 阅读和搜索你上传的文件：「总结一下这个文件」',
      '- 一次做几件事，或把结果写成表格、文档。',
    ].join('\n'),
    [
      'I can (built-in simulator):',
      '- tell who you are, as far as I know: "Who am I?"',
      '- read, create, move and cancel events: "What\'s on my calendar next week?", "Schedule lunch with Li Lei on Friday at noon"',
      '- find contacts and invite people: "Find Li Lei in my contacts"',
      '- remember, recall and forget: "Remember that I like tea", "What do you know about me?"',
      '- read and search files you upload: "Summarise the attached file"',
      '- do several things at once, or put the result into a table or a document.',
    ].join('\n'),
  );
}

/** 我的生日是5月1日 · I prefer tea: said by the way, learned after the answer. */
export const statement: Intent = {
  name: 'statement',
  scenario: 'memory',
  greedy: 'sentence',
  understand(clause, { reading }) {
    if (factsIn(clause).length === 0) return undefined;
    const told = toldBack(clause, reading);
    return { say: reading.say(`好的，我知道了：${told}`, `Noted: ${told}`) };
  },
};

const REPEAT =
  /^(?:请)?(?:重复|复述|跟我说|照着说|回复)(?:一遍|一下)?[:：\s]+(.+)$|^(?:please )?(?:say|repeat|echo|reply with(?: exactly)?|answer with)(?: after me)?[:\s]+(.+)$/is;

/** Reply with pong */
export const repeat: Intent = {
  name: 'repeat',
  scenario: 'chat',
  greedy: 'message',
  understand(clause) {
    const match = REPEAT.exec(clause);
    const text = (match?.[1] ?? match?.[2])?.trim().replace(/^["“「']|["”」']$/g, '');
    return text ? { say: text } : undefined;
  },
};
