import { describe, expect, test } from 'vitest';
import { type Played, play } from './testing/play.ts';
import { openStage } from './testing/stage.ts';

const { zh, en, sceneOf } = await openStage();

const inputsOf = (played: Played) =>
  played.turns.flat().flatMap(({ name, input }) => (name === 'plan' || name === 'finish' ? [] : [input]));

describe('contacts', () => {
  test.each([
    ['zh', '查一下 lilei 的电话', 'lilei'],
    ['zh', 'hanmeimei的邮箱是什么', 'hanmeimei'],
    ['zh', '有没有叫韩梅梅的联系人', '韩梅梅'],
    ['zh', '市场部有哪些人', '市场部'],
    ['zh', '查一下李雷', '李雷'],
    ['en', "What's Li Lei's email?", 'Li Lei'],
    ['en', "find Tom's phone number", 'Tom'],
    ['en', "what is hanmeimei's email", 'hanmeimei'],
    ['en', 'find hanmeimei', 'hanmeimei'],
    ['en', 'the phone number of tom', 'tom'],
    ['en', 'who works in Engineering?', 'Engineering'],
  ])('%s: %s', async (language, message, query) => {
    expect(inputsOf(await play(sceneOf(language), message))).toEqual([{ query }]);
  });
});

describe('memories', () => {
  test.each([
    ['zh', '记住我喜欢安静的早晨。', '好的，我记住了：你喜欢安静的早晨。'],
    ['zh', '记住会议室密码是1234。。', '好的，我记住了：会议室密码是1234。'],
    ['en', 'Remember that I like quiet mornings.', 'Noted, I will remember: you like quiet mornings.'],
    ['en', 'can you remember that I like tea?', 'Noted, I will remember: you like tea.'],
    ['zh', '忘掉我喜欢喝咖啡', '好的，我忘掉了：你喜欢喝咖啡。'],
    ['en', 'I live in Munich now', 'Noted: you live in Munich.'],
  ])('are told back as one sentence: %s %s', async (language, message, text) => {
    expect((await play(sceneOf(language), message)).text).toBe(text);
  });

  test('a profile that ends with a full stop gets no second one', async () => {
    const profile = { user_id: 'mei', display_name: '小美', bio: '喜欢安静的早晨。' };
    expect((await play({ ...zh, profile }, '我是谁')).text).toBe('你是小美，简介：喜欢安静的早晨。');
  });

  test('likings are searched for in the words in which they are kept', async () => {
    expect(inputsOf(await play(en, 'What do I like?'))).toEqual([{ query: expect.stringContaining('The user likes') }]);
    expect(inputsOf(await play(zh, '你还记得我喜欢什么吗'))).toEqual([{ query: expect.stringContaining('用户喜欢') }]);
  });

  test('any question is answered that a memory answers, and no other', async () => {
    const memory = [{ id: 'm1', kind: 'fact', content: 'the wifi password is hunter2' }];
    expect((await play({ ...en, memory }, 'what is the wifi password?')).text).toBe(
      'I remember: the wifi password is hunter2.',
    );
    expect((await play({ ...en, memory }, 'what is the capital of France?')).text).toContain('did not understand');
  });

  test.each([
    ['谁是我的经理', '谁是我的经理 用户的上级'],
    ['我对什么过敏？', '我对什么过敏'],
  ])('what was told is searched for: %s', async (message, query) => {
    expect(inputsOf(await play(zh, message))).toEqual([{ query }]);
  });

  test('a statement and a question are two things', async () => {
    const played = await play(en, 'I like hiking. What do I like?');
    expect(played.text).toContain('you like hiking');
    expect(inputsOf(played)).toHaveLength(1);
  });
});

describe('files', () => {
  test.each([
    ['文件里有没有提到预算？', '预算'],
    ['把文件里的预算部分找出来', '预算'],
    ['这份文件里谁是负责人', '负责人'],
  ])('%s', async (message, query) => {
    const files = [{ file_id: 'file_1', type: 'document', summary: { name: 'plan.md', status: 'ready' } }];
    expect(inputsOf(await play({ ...zh, files }, message))).toEqual([{ query }]);
    expect((await play(zh, message)).text).toContain('还没有文件');
  });
});

describe('small talk', () => {
  test.each([
    ['zh', '好的'],
    ['zh', '哈哈哈'],
    ['en', 'lol'],
    ['en', 'sounds good!'],
    ['zh', '你能帮我做什么'],
    ['en', 'Can you help me?'],
    ['zh', '你觉得人工智能会取代人类吗'],
    ['en', 'Can you book a flight to Tokyo?'],
  ])('is answered as a simulator: %s %s', async (language, message) => {
    const played = await play(sceneOf(language), message);
    expect(played.route).toBe('DIRECT_EXECUTION');
    expect(played.text).toMatch(/内置模拟器|built-in simulator/);
  });
});
