import { dictionary } from '../../language/index.ts';

export const dataWords = dictionary(
  {
    prompt: '模型知道我什么',
    promptHint: '每次运行，每个模型都会收到下面这段话，一字不差。记忆另外按每条消息挑选。',
    copy: '复制',
    copied: '已复制',
    export: '导出我的数据',
    exportHint: '一个 JSON 文件，包含下面的全部内容。它只在你的浏览器里生成。',
    parts: {
      profile: '资料与设置',
      sessions: '会话与消息',
      memories: '记忆，包括已被取代的和原话',
      contacts: '联系人',
      calendar: '日历（前后各一年）',
      automations: '自动任务与运行记录',
      files: '文件清单',
    },
    start: '导出',
    working: (done: string) => `正在收集：${done}`,
    finished: (size: string) => `已导出（${size}）`,
  },
  {
    prompt: 'What the model knows about me',
    promptHint: 'In every run, every model is given exactly these words. Memories are chosen anew for each message.',
    copy: 'Copy',
    copied: 'Copied',
    export: 'Export my data',
    exportHint: 'One JSON file with everything below. It is put together in your browser only.',
    parts: {
      profile: 'Profile and settings',
      sessions: 'Chats and messages',
      memories: 'Memories, superseded ones and verbatim turns included',
      contacts: 'Contacts',
      calendar: 'Calendar (a year back and ahead)',
      automations: 'Automations and what became of them',
      files: 'The list of files',
    },
    start: 'Export',
    working: (done: string) => `Collecting: ${done}`,
    finished: (size: string) => `Exported (${size})`,
  },
);
