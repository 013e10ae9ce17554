import { expect, test } from 'vitest';
import { asksToForget, worthLearning } from './learning-gate.ts';

const worth = [
  '我叫张三，是产品部的经理',
  '我喜欢喝美式，不加糖',
  '我对花生过敏',
  '我不吃香菜',
  '记住我的车牌是沪A12345',
  '以后回答都用英文',
  '叫我小王就好',
  '我上个月搬到了杭州',
  '我女儿今年五岁',
  '我们团队用的是飞书',
  '我老婆的生日是三月八号',
  '我平时六点起床跑步',
  '忘掉我之前说的地址',
  '帮我订个餐厅，我吃素，我不喝酒',
  '我在上海的一家银行工作',
  '今后不要再用表情符号',
  '下次先给我看摘要',
  '我打算明年考研',
  '我是素食者',
  '我负责华东区的销售',
  'My name is Alice and I work in finance.',
  "I'm allergic to shellfish",
  'I prefer short answers',
  'Remember that my flight is on the 3rd',
  'From now on, reply in French.',
  'Call me Sam',
  'My sister lives in Berlin.',
  'We moved to a bigger office last week',
  "I don't eat meat. Find me a restaurant.",
  "I've been learning the cello since March",
  'Forget what I told you about Tom',
  'Please always use metric units',
  'I usually work from home on Fridays',
  "I'd rather you sent it as a table",
  'book a table for two — I am vegetarian',
  "Don't forget I have a dog",
  'I grew up in Harbin',
];
const notWorth = [
  '你好',
  '帮我查一下我下周的日程',
  '我是谁？',
  '明天上海天气怎么样？',
  '把这段话翻译成英文',
  '我明天有什么会？',
  '谢谢',
  '写一封请假邮件',
  '1+1等于几',
  '帮我把周五下午的会议取消',
  '我住在哪里？',
  '给我讲个笑话',
  '总结一下这份文档',
  'Hello!',
  'Who am I?',
  "What's on my calendar next week?",
  'Translate this to Chinese: good morning',
  'Move my 3 pm with Li Lei to Friday and tell him',
  'Thanks, that helps',
  'Write a haiku about autumn',
  'What is my name?',
  'Summarise the attached report',
  'Cancel the meeting',
  'How do I sort a list in Python?',
  'Where do I live?',
];

test.each(worth)('a model is asked what to learn from: %s', (prompt) => {
  expect(worthLearning(prompt)).toBe(true);
});

test.each(notWorth)('no model is asked about: %s', (prompt) => {
  expect(worthLearning(prompt)).toBe(false);
});

test('what is said before or after a long paste counts', () => {
  const paste = 'lorem ipsum dolor sit amet '.repeat(2000);
  expect(worthLearning(`${paste}\nI work at the museum now.`)).toBe(true);
  expect(worthLearning(`我在博物馆工作。\n${paste}`)).toBe(true);
  expect(worthLearning(paste)).toBe(false);
});

test('a long message is judged quickly', () => {
  const start = performance.now();
  worthLearning('我'.repeat(200_000));
  worthLearning('I '.repeat(200_000));
  worthLearning(`my ${'a '.repeat(100_000)}`);
  expect(performance.now() - start).toBeLessThan(200);
});

test.each([
  '忘掉我之前说的地址',
  '忘记我的生日',
  '请忘了我住在杭州这件事',
  '不要记这个',
  '把关于我前任的记忆删掉，删除这条记忆',
  'Forget what I told you about Tom',
  'please forget my address',
  'Delete that memory about the hospital',
])('this asks to forget: %s', (prompt) => {
  expect(asksToForget(prompt)).toBe(true);
});

test.each([
  '别忘了带伞',
  '不要忘记明天的会',
  '我忘了带钥匙',
  "Don't forget my birthday",
  'I will never forget that day',
])('this does not ask to forget: %s', (prompt) => {
  expect(asksToForget(prompt)).toBe(false);
});
