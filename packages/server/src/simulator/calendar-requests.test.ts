import { describe, expect, test } from 'vitest';
import { events, skills } from './testing/fake-skills.ts';
import { type Played, play } from './testing/play.ts';
import { openStage } from './testing/stage.ts';

/** The ways in which people speak of their calendar. It is Monday, 16 November 2026, 10:00 in Shanghai. */
const { zh, en, sceneOf } = await openStage();

const callsOf = (played: Played) =>
  played.turns.flat().flatMap(({ name, input }) => (name === 'plan' || name === 'finish' ? [] : [{ name, ...input }]));
const range = (start: string, end: string) => ({
  name: 'calendar.read',
  mode: 'range',
  start: `${start}T00:00:00+08:00`,
  end: `${end}T00:00:00+08:00`,
});

test.each([
  ['取消今天和李雷的会议', '已删除'],
  ['把今天下午三点跟李雷的会改到周五', '已'],
])('what is said after a time and 和 is with whom, not another request: %s', async (message, done) => {
  const { text } = await play(zh, message);
  expect(text).toContain(done);
  expect(text).not.toContain('有关的');
});

test('two days joined by 和 are two questions', async () => {
  expect(callsOf(await play(zh, '看看明天和周五的日程'))).toEqual([
    { name: 'calendar.read', mode: 'day', date: '2026-11-17' },
    { name: 'calendar.read', mode: 'day', date: '2026-11-20' },
  ]);
});

describe('asking', () => {
  test.each([
    ['zh', '帮我查一下下周五的日程', { mode: 'day', date: '2026-11-27' }],
    ['zh', '查一下周五的日程', { mode: 'day', date: '2026-11-20' }],
    ['zh', '那明天呢', { mode: 'day', date: '2026-11-17' }],
    ['zh', '本周日程', range('2026-11-16', '2026-11-23')],
    ['zh', '周三到周五有什么安排', range('2026-11-18', '2026-11-21')],
    ['zh', '我什么时候和李雷开会', { mode: 'search', query: '李雷' }],
    ['zh', '能不能帮我看看明天的安排？', { mode: 'day', date: '2026-11-17' }],
    ['en', 'what do i have tomorrow', { mode: 'day', date: '2026-11-17' }],
    ['en', 'anything this week?', range('2026-11-16', '2026-11-23')],
    ['en', 'What does next week look like?', range('2026-11-23', '2026-11-30')],
    ['en', 'what about Thursday?', { mode: 'day', date: '2026-11-19' }],
    ['en', 'What am I doing this weekend?', range('2026-11-21', '2026-11-23')],
    ['en', "What's happening on December 24th?", { mode: 'day', date: '2026-12-24' }],
    ['en', "I'd like to see my agenda for tomorrow", { mode: 'day', date: '2026-11-17' }],
    ['en', "what's on my calender tomorow", { mode: 'day', date: '2026-11-17' }],
    ['en', "When's lunch on Friday?", { mode: 'day', date: '2026-11-20' }],
  ])('%s: %s', async (language, message, expected) => {
    expect(callsOf(await play(sceneOf(language), message))).toEqual([{ name: 'calendar.read', ...expected }]);
  });

  test.each([
    ['zh', '明天天气怎么样'],
    ['en', "what's the weather like tomorrow?"],
  ])('a question about something else on a day is not about the calendar: %s %s', async (language, message) => {
    expect((await play(sceneOf(language), message)).text).toMatch(/内置模拟器|built-in simulator/);
  });

  test('the next event is the first that has not begun', async () => {
    expect((await play(zh, '下一个会是什么时候')).text).toBe(
      '下一个日程是：11月16日 周一 15:00–16:00 和李雷开会（3号会议室，李雷）',
    );
    const later = { ...en, now: '2026-11-16T15:30:00+08:00' };
    expect((await play(later, 'When is my next meeting?')).text).toContain('Tue, Nov 17 09:00–10:00 周会');
  });

  test('invitations are those that wait for an answer', async () => {
    const invited = { ...events[1], organizer: '韩梅梅', my_status: 'invited' };
    const success = (found: object[]) => () => ({ status: 'success' as const, result: { events: found } });
    const tools = { ...skills, 'calendar.read': success([events[0] ?? {}, invited]) };
    expect((await play({ ...en, tools }, 'What invitations do I have?')).text).toBe(
      'Waiting for your answer:\n- Tue, Nov 17 09:00–10:00 周会',
    );
    expect((await play(zh, '有哪些邀请等我回复')).text).toBe('没有等你答复的邀请。');
    const accepted = callsOf(await play({ ...en, tools }, 'accept the invitation from 韩梅梅')).at(-1);
    expect(accepted).toEqual({ name: 'calendar.accept_invite', event_id: 'evt_2' });
  });
});

describe('creating', () => {
  test.each([
    [
      'zh',
      '每周一上午十点站会',
      { title: '站会', start: '2026-11-16T10:00:00+08:00', recurrence: 'FREQ=WEEKLY;BYDAY=MO' },
    ],
    ['zh', '周五全天团建', { title: '团建', start: '2026-11-20', end: '2026-11-20', all_day: true }],
    ['zh', '下周三到下周五出差去上海', { title: '出差去上海', start: '2026-11-25', end: '2026-11-27', all_day: true }],
    [
      'zh',
      '我下周去北京出差，帮我记一下',
      { title: '去北京出差', start: '2026-11-23', end: '2026-11-29', all_day: true },
    ],
    ['zh', '下周一到周三每天上午九点培训', { title: '培训', recurrence: 'FREQ=DAILY;COUNT=3' }],
    ['zh', '明天下五三点开会', { title: '开会', start: '2026-11-17T15:00:00+08:00' }],
    ['zh', '明儿上午十点在A座3楼会议室跟客户开会', { title: '跟客户开会', location: 'A座3楼会议室' }],
    ['zh', '周四下午四点半牙医', { title: '牙医', start: '2026-11-19T16:30:00+08:00' }],
    ['en', 'Stand-up every Monday at 10am', { title: 'Stand-up', recurrence: 'FREQ=WEEKLY;BYDAY=MO' }],
    ['en', "I'm on vacation from Dec 21 to Dec 25", { title: 'Vacation', start: '2026-12-21', end: '2026-12-25' }],
    ['en', 'Team offsite Dec 3-4', { title: 'Team offsite', start: '2026-12-03', end: '2026-12-04', all_day: true }],
    ['en', 'Block 2-4pm tomorrow for focus time', { title: 'Focus time', end: '2026-11-17T16:00:00+08:00' }],
    ['en', 'Add Team lunch on Friday at noon', { title: 'Team lunch', start: '2026-11-20T12:00:00+08:00' }],
    [
      'en',
      "Book a table at Luigi's for dinner on Saturday at 8pm",
      { title: 'Table for dinner', location: "Luigi's", start: '2026-11-21T20:00:00+08:00' },
    ],
    ['en', 'Meeting about Project Apollo on Wednesday at 2pm', { title: 'Meeting about Project Apollo' }],
  ])('%s: %s', async (language, message, expected) => {
    const calls = callsOf(await play(sceneOf(language), message));
    expect(calls).toEqual([expect.objectContaining({ name: 'calendar.create', ...expected })]);
  });

  test.each([
    ['zh', '能不能帮我安排明天下午三点和李雷开会吗？'],
    ['en', 'Could you please schedule a meeting with Li Lei tomorrow at 3pm?'],
    ['en', 'shedule a meting with Li Lei tomorow at 3pm'],
  ])('however it is asked for: %s', async (language, message) => {
    const [, created] = callsOf(await play(sceneOf(language), message));
    expect(created).toMatchObject({
      start: '2026-11-17T15:00:00+08:00',
      participants: [{ contact_id: 'con_1' }],
    });
  });

  test('who is invited is told by name, and who is not', async () => {
    expect((await play(zh, '明天下午三点和李雷、王芳开会')).text).toBe(
      '已创建日程「和李雷、王芳开会」：11月17日 周二 15:00–16:00。\n已邀请李雷。\n联系人里没有找到王芳，所以没有邀请。',
    );
  });

  test('what somebody says of a day is no event', async () => {
    const told = await play(en, 'You said the train was at 5 pm tomorrow');
    expect(told.route).toBe('DIRECT_EXECUTION');
  });

  test('a request of its own is not the answer to the question for the time', async () => {
    const asked = '安排一个会议';
    const history = [
      { role: 'user' as const, content: asked },
      { role: 'assistant' as const, content: (await play(zh, asked)).text },
    ];
    const [, created] = callsOf(await play({ ...zh, history }, '明天下午三点和李雷喝咖啡'));
    expect(created).toMatchObject({ title: '和李雷喝咖啡' });
    expect(callsOf(await play({ ...zh, history }, '明天我几点有会'))).toEqual([
      { name: 'calendar.read', mode: 'day', date: '2026-11-17' },
    ]);
  });
});

describe('changing', () => {
  const series = [23, 30].map((day) => ({
    event_id: `ser_1_202611${day}`,
    series_id: 'ser_1',
    title: '健身',
    start: `2026-11-${day}T19:00:00+08:00`,
    end: `2026-11-${day}T20:00:00+08:00`,
  }));
  const over = { ...series[0], event_id: 'evt_0', series_id: undefined, start: '2025-11-20', end: '2025-11-20' };
  const found = (list: object[]) => ({
    ...skills,
    'calendar.read': () => ({ status: 'success' as const, result: { events: list } }),
  });

  test('of a series without a day, the next one and all after it are meant', async () => {
    const scene = { ...zh, tools: found([over, ...series]) };
    const moved = await play(scene, '把健身推迟到八点');
    expect(callsOf(moved).at(-1)).toMatchObject({
      event_id: 'ser_1_20261123',
      scope: 'following',
      start: '2026-11-23T20:00:00+08:00',
    });
    expect(moved.text).toBe('已把「健身」改到 11月23日 周一 20:00–21:00，之后的各次也一样。');
    expect(callsOf(await play(scene, '取消健身')).at(-1)).toEqual({
      name: 'calendar.delete',
      event_id: 'ser_1_20261123',
      scope: 'following',
    });
    expect(callsOf(await play(scene, '邀请李雷参加健身')).at(-1)).toMatchObject({ event_id: 'ser_1' });
  });

  test('different events with one name are a question', async () => {
    const twins = series.map(({ series_id: _, ...event }) => event);
    expect((await play({ ...zh, tools: found(twins) }, '取消健身')).text).toContain('请告诉我是哪一个');
  });

  test('it is the event that the answer before was about', async () => {
    const history = [
      { role: 'user' as const, content: 'rename the meeting to 周会' },
      { role: 'assistant' as const, content: '"Meeting" is now called "周会".' },
    ];
    expect(callsOf(await play({ ...en, history }, 'move it to 5pm'))).toMatchObject([
      { name: 'calendar.read', mode: 'search', query: '周会' },
      { name: 'calendar.update', event_id: 'evt_2', start: '2026-11-17T17:00:00+08:00' },
    ]);
  });

  test('the first half of a move is no event', async () => {
    const played = await play(zh, '把我今天下午3点和李雷的会改到周五，并通知他');
    expect(callsOf(played).map(({ name }) => name)).toEqual([
      'calendar.read',
      'contacts.read',
      'calendar.update',
      'calendar.share',
    ]);
  });

  test('somebody is added to a meeting', async () => {
    for (const message of ['Please add Li Lei to the 周会', '把李雷加到周会']) {
      expect(callsOf(await play(en, message)).at(-1)).toMatchObject({ name: 'calendar.share', event_id: 'evt_2' });
    }
  });
});

describe('several things at once', () => {
  test.each([
    ['zh', '明天下午三点和李雷开会，再看看这周还有什么安排'],
    ['en', 'Schedule a meeting with Li Lei tomorrow at 3pm, then show me this week'],
  ])('what was changed is read afterwards: %s', async (language, message) => {
    const played = await play(sceneOf(language), message);
    expect(played.turns.slice(1, -1).map((turn) => turn.map(({ name }) => name))).toEqual([
      ['contacts.read'],
      ['calendar.create'],
      ['calendar.read'],
    ]);
    expect(callsOf(played).at(-1)).toEqual(range('2026-11-16', '2026-11-23'));
  });

  test('three requests, with a person in the middle', async () => {
    const played = await play(zh, '取消今天的会，安排周五下午三点和李雷喝咖啡，最后把这周的日程做成表格');
    expect(callsOf(played)).toMatchObject([
      { name: 'calendar.read', mode: 'day', date: '2026-11-16' },
      { name: 'contacts.read', query: '李雷' },
      { name: 'calendar.delete', event_id: 'evt_1' },
      { name: 'calendar.create', title: '和李雷喝咖啡', participants: [{ contact_id: 'con_1' }] },
      range('2026-11-16', '2026-11-23'),
    ]);
    expect(played.finish.output).toBe('output.table');
  });

  test.each([
    ['zh', '写一份本周日程的报告', '# 本周日程的报告'],
    ['en', 'make a document of my calendar this week', '# My calendar this week'],
  ])('%s: %s', async (language, message, heading) => {
    const played = await play(sceneOf(language), message);
    expect(callsOf(played)).toEqual([range('2026-11-16', '2026-11-23')]);
    expect(played.finish.output).toBe('output.document');
    expect(played.text.split('\n')[0]).toBe(heading);
  });

  test('an export is a table, named after what is in it', async () => {
    const played = await play(en, "Export next week's calendar as a table");
    expect(played.finish.output).toBe('output.table');
    expect(played.intent.intent_summary).toBe('Read the calendar: Mon, Nov 23 – Sun, Nov 29');
  });
});
