import type { RunDetail } from '@kith/protocol';
import { beforeEach, describe, expect, test } from 'vitest';
import { readEvents } from '../src/events/index.ts';
import { addContact } from '../src/skills/index.ts';
import { newTalk, type Talk, testRooms } from './rooms.ts';

// Monday, 16 November 2026, ten in the morning in Shanghai.
const now = new Date('2026-11-16T02:00:00Z');
const kith = await testRooms({ now: () => now });
const { sql } = kith.database;

async function meet(language: 'zh-CN' | 'en-US'): Promise<Talk> {
  const talk = newTalk();
  await kith.users.profiles.put(talk.userId, {
    username: 'zhangsan',
    display_name: language === 'zh-CN' ? '张三' : 'Zhang San',
    department: language === 'zh-CN' ? '数据部' : 'Data',
    email: 'zhangsan@example.com',
    settings: { version: 2, preferences: { ai_language: language, interface_language: language } },
  });
  await sql.begin((transaction) =>
    addContact(transaction, talk.userId, { name: '李雷', user_id: 'lilei', department: '研发部' }),
  );
  return talk;
}

const addEvent = (talk: Talk, title: string, starts: string, ends: string) => sql`
  insert into calendar_events (user_id, title, starts_at, ends_at, timezone)
  values (${talk.userId}, ${title}, ${starts}::text::timestamptz, ${ends}::text::timestamptz, 'Asia/Shanghai')`;

const callsOf = (run: RunDetail) => run.tool_calls.map((call) => [call.tool_name, call.status] as const);
const inputOf = (run: RunDetail, tool: string) => run.tool_calls.find((call) => call.tool_name === tool)?.args.input;

async function answerOf(talk: Talk, run: RunDetail): Promise<string> {
  const [row] = await sql<{ content: string }[]>`
    select content from messages join sessions on sessions.id = messages.session_id
    where thread_id = ${talk.threadId} and run_id = ${run.runId} and messages.role = 'assistant' and seq > 0
      and metadata ->> 'type' = 'assistant_output' and metadata ->> 'stage' <> 'memory' order by seq desc limit 1`;
  return row?.content ?? '';
}

async function cardsOf(talk: Talk, run: RunDetail) {
  const session = await kith.sessions.find(talk.userId, talk.threadId);
  const events = await readEvents(sql, session.id, { after: 0, runId: run.runId });
  return events.flatMap(({ event }) => (event.type === 'TOOL_CALL_RESULT' && event.ui_schema ? [event.ui_schema] : []));
}

/** Says yes to everything that waits. */
async function approveAll(talk: Talk, run: RunDetail): Promise<RunDetail> {
  let current = run;
  while (current.status === 'awaiting_approval') {
    for (const call of current.tool_calls.filter((each) => each.status === 'awaiting_approval')) {
      await kith.runs.decide(talk.userId, talk.threadId, call.tool_call_id, { approved: true });
    }
    current = await kith.until(talk, run.runId);
  }
  return current;
}

describe.each([
  { language: 'zh-CN', who: '我是谁', name: '张三' },
  { language: 'en-US', who: 'Who am I?', name: 'Zhang San' },
] as const)('in $language', ({ language, who, name }) => {
  let talk: Talk;
  beforeEach(async () => {
    talk = await meet(language);
  });

  test('the user is known by name and department, and never by email', async () => {
    const answer = await answerOf(talk, await kith.ask(talk, who));
    expect(answer).toContain(name);
    expect(answer).toContain(language === 'zh-CN' ? '数据部' : 'Data');
    expect(answer).not.toContain('example.com');
  });

  test('my calendar of next week is read for that week in my zone, shown as a card, and told', async () => {
    await addEvent(
      talk,
      language === 'zh-CN' ? '评审' : 'Review',
      '2026-11-24T15:00:00+08:00',
      '2026-11-24T16:00:00+08:00',
    );
    const run = await kith.ask(
      talk,
      language === 'zh-CN' ? '帮我查一下我下周的日程' : 'What is on my calendar next week?',
    );
    expect(callsOf(run)).toEqual([['calendar.read', 'succeeded']]);
    expect(inputOf(run, 'calendar.read')).toMatchObject({ mode: 'range' });
    const [card] = await cardsOf(talk, run);
    expect(JSON.stringify(card)).toContain(language === 'zh-CN' ? '评审' : 'Review');
    expect(await answerOf(talk, run)).toContain(language === 'zh-CN' ? '评审' : 'Review');
  });

  test('an appointment is moved and the other one is told, after the user agreed to tell them', async () => {
    await addEvent(
      talk,
      language === 'zh-CN' ? '和李雷开会' : 'Meeting with 李雷',
      '2026-11-16T15:00:00+08:00',
      '2026-11-16T16:00:00+08:00',
    );
    const text =
      language === 'zh-CN'
        ? '把我今天下午3点和李雷的会改到周五，并通知他'
        : 'move my 3 pm with Li Lei to Friday and tell him';
    const run = await approveAll(talk, await kith.ask(talk, text));
    expect(run.status).toBe('completed');
    const names = callsOf(run).map(([tool]) => tool);
    expect(names).toContain('calendar.update');
    expect(names).toContain('calendar.share');
    const [event] = await sql<{ starts_at: Date; invited: string | null }[]>`
      select starts_at, (select name from calendar_participants where event_id = calendar_events.id) as invited
      from calendar_events where user_id = ${talk.userId}`;
    expect(event?.starts_at.toISOString()).toBe('2026-11-20T07:00:00.000Z');
    expect(event?.invited).toBe('李雷');
  });

  test('what the user says of themselves is learned, and forgotten when they wish it', async () => {
    await kith.ask(talk, language === 'zh-CN' ? '我喜欢喝绿茶' : 'I prefer green tea');
    const known = () =>
      sql`select content from memories where user_id = ${talk.userId} and kind <> 'turn' and valid_to is null`;
    expect(JSON.stringify(await known())).toMatch(language === 'zh-CN' ? /绿茶/ : /green tea/i);
    const run = await kith.ask(talk, language === 'zh-CN' ? '忘掉我喜欢喝绿茶' : 'forget that I prefer green tea');
    expect(callsOf(run).map(([tool]) => tool)).toContain('memory.forget');
    expect(await known()).toHaveLength(0);
  });

  test('a table is delivered as a file that can be opened', async () => {
    await addEvent(talk, 'A', '2026-11-17T15:00:00+08:00', '2026-11-17T16:00:00+08:00');
    const run = await kith.ask(
      talk,
      language === 'zh-CN' ? '把我明天的日程做成表格' : 'Give me my calendar of tomorrow as a table',
    );
    expect(run.status).toBe('completed');
    const files = await sql<{ name: string }[]>`select name from files where user_id = ${talk.userId} order by name`;
    expect(files.map((file) => file.name.split('.').at(-1))).toEqual(['csv', 'xlsx']);
  });
});

test('someone who never introduced themselves is told how to', async () => {
  const talk = newTalk();
  const run = await kith.ask(talk, '我是谁');
  expect(await answerOf(talk, run)).toContain('个人资料');
});

test('someone who never introduced themselves is spoken to in the language they write in, on cards too', async () => {
  const talk = newTalk();
  const said = await answerOf(talk, await kith.ask(talk, 'Who am I?'));
  const run = await kith.ask(talk, 'schedule lunch on Friday at noon');
  const shown = JSON.stringify([said, await answerOf(talk, run), await cardsOf(talk, run)]);
  expect(shown).toContain('When');
  expect(shown).not.toMatch(/\p{Script=Han}/u);
});

test('a user who switched memory off is neither remembered nor recalled', async () => {
  const talk = await meet('zh-CN');
  await kith.users.profiles.patchSettings(talk.userId, { privacy: { memory_enabled: false } });
  const run = await kith.ask(talk, '我喜欢喝绿茶');
  expect(run.status).toBe('completed');
  expect(await sql`select 1 from memories where user_id = ${talk.userId}`).toHaveLength(0);
});
