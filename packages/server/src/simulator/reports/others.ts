import { contactsIn, FileText, memoriesIn, passagesIn } from '../intents/results.ts';
import { secondPerson, sentence, toldBack } from '../language/facts.ts';
import { cut, type Report, text } from './report.ts';

export const tellContacts: Report = ({ input }, result, reading) => {
  const { say } = reading;
  const contacts = contactsIn(result);
  const query = text(input.query);
  if (contacts.length === 0) {
    return {
      text: query
        ? say(`联系人里没有找到「${query}」。`, `There is no "${query}" in your contacts.`)
        : say('还没有联系人。', 'You have no contacts yet.'),
    };
  }
  const rows = contacts.map((contact) =>
    [contact.name, contact.department, contact.title, contact.email, contact.phone].map((value) => value ?? ''),
  );
  const lines = rows.map(
    ([name, ...rest]) =>
      `- ${name}${rest.some(Boolean) ? say('：', ': ') : ''}${rest.filter(Boolean).join(say('，', ', '))}`,
  );
  return {
    text: [
      say(
        `找到 ${contacts.length} 位联系人：`,
        `${contacts.length} ${contacts.length === 1 ? 'contact' : 'contacts'} found:`,
      ),
      ...lines,
    ].join('\n'),
    table: {
      columns: [
        say('姓名', 'Name'),
        say('部门', 'Department'),
        say('职位', 'Title'),
        say('邮箱', 'Email'),
        say('电话', 'Phone'),
      ],
      rows,
    },
  };
};

export const tellRemembered: Report = ({ about }, _result, reading) => {
  const told = toldBack(text(about.text), reading);
  return { text: reading.say(`好的，我记住了：${told}`, `Noted, I will remember: ${told}`) };
};

export const tellForgotten: Report = ({ about }, _result, reading) => {
  const told = sentence(secondPerson(text(about.content)), reading);
  return { text: reading.say(`好的，我忘掉了：${told}`, `Done, I have forgotten: ${told}`) };
};

export const tellMemories: Report = ({ about }, result, reading) => {
  const { say } = reading;
  // Verbatim turns are found as well; what was learned from them says it better.
  const found = memoriesIn(result).filter((memory) => memory.kind !== 'turn');
  const near = about.everything === true ? reading.memory : [];
  const memories = [...new Map([...found, ...near].map((memory) => [memory.content, memory])).values()];
  if (memories.length === 0)
    return { text: say('关于这个我还没有记下什么。', 'I have nothing about that in my memory yet.') };
  return {
    text: [say('我记得：', 'I remember:'), ...memories.map(({ content }) => `- ${secondPerson(content)}`)].join('\n'),
    table: {
      columns: [say('类型', 'Kind'), say('内容', 'Content')],
      rows: memories.map(({ kind, content }) => [kind, content]),
    },
  };
};

/** An honest extract: the first sentences, since the simulator does not understand what it reads. */
export const tellFile: Report = ({ about }, result, { say }) => {
  const file = FileText.safeParse(result).data;
  const name = file?.name || text(about.name);
  const content = file?.text.trim() ?? '';
  if (content === '') return { text: say(`「${name}」里没有可读的文字。`, `"${name}" has no readable text.`) };
  const sentences = content.match(/[^。！？!?\n]+(?:[。！？!?]|\.(?=\s)|\n|$)/g) ?? [content];
  const extract = cut(
    sentences
      .slice(0, 3)
      .map((sentence) => sentence.trim())
      .filter(Boolean)
      .join(' '),
    300,
  );
  return {
    text: say(
      `「${name}」（${[...content].length} 字）的要点：\n${extract}`,
      `"${name}" (${[...content].length} characters) begins:\n${extract}`,
    ),
  };
};

export const tellPassages: Report = ({ input }, result, { say }) => {
  const passages = passagesIn(result);
  const query = text(input.query);
  if (passages.length === 0)
    return { text: say(`文件里没有找到「${query}」。`, `Nothing about "${query}" in the files.`) };
  return {
    text: [
      say(
        `关于「${query}」，文件里有 ${passages.length} 处：`,
        `${passages.length} ${passages.length === 1 ? 'passage' : 'passages'} about "${query}":`,
      ),
      ...passages.map((passage) => `- ${passage.name}: ${cut(passage.text.trim().replace(/\s+/g, ' '), 120)}`),
    ].join('\n'),
    table: {
      columns: [say('文件', 'File'), say('内容', 'Text')],
      rows: passages.map((passage) => [passage.name, cut(passage.text.trim(), 200)]),
    },
  };
};

/** Tools that the simulator knows nothing of: their result as it is. */
export const tellAnything: Report = ({ tool }, result, { say }) => {
  const shown = typeof result === 'string' ? result : JSON.stringify(result ?? {});
  return { text: say(`${tool} 的结果：${cut(shown, 1000)}`, `Result of ${tool}: ${cut(shown, 1000)}`) };
};
