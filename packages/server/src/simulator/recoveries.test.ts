import { describe, expect, test } from 'vitest';
import { skills } from './testing/fake-skills.ts';
import { play, type Reply, type Tools } from './testing/play.ts';
import { openStage } from './testing/stage.ts';

const { zh, en } = await openStage();

const failure = (code: string, message: string, field?: string): Reply => ({
  status: 'failure',
  error: { code, message, ...(field ? { field } : {}) },
});

/** The skills, one of which first answers as told. */
function withReplies(tool: string, ...replies: Reply[]): Tools {
  const left = [...replies];
  return { ...skills, [tool]: (input) => left.shift() ?? skills[tool]?.(input) ?? failure('NONE', 'none') };
}
const namesOf = (played: { turns: readonly (readonly { name: string }[])[] }) =>
  played.turns.flat().map(({ name }) => name);

describe('a call that fails', () => {
  test('is mended once in the field that the error names', async () => {
    const tools = withReplies('calendar.create', failure('INVALID_INPUT', 'end must be after start', 'end'));
    const played = await play({ ...zh, tools }, '明天下午三点到两点开会');
    const [first, second] = played.turns.flat().filter(({ name }) => name === 'calendar.create');
    expect(first?.input.end).not.toBe(second?.input.end);
    expect(second?.input.end).toBe('2026-11-17T16:00:00+08:00');
    expect(played.finish.status).toBe('SUCCESS');
  });

  test('is sent again without a field that is not known', async () => {
    const tools = withReplies(
      'calendar.create',
      failure('INVALID_INPUT', 'Unrecognized key: "participants"', 'participants'),
    );
    const played = await play({ ...en, tools }, 'schedule lunch with Li Lei on Friday at noon');
    expect(played.turns.flat().findLast(({ name }) => name === 'calendar.create')?.input).not.toHaveProperty(
      'participants',
    );
    expect(played.finish.status).toBe('SUCCESS');
  });

  test('is given up after the second time, and said so', async () => {
    const bad = failure('INVALID_INPUT', 'end must be after start', 'end');
    const played = await play(
      { ...en, tools: withReplies('calendar.create', bad, bad, bad) },
      '明天下午三点到两点开会',
    );
    expect(namesOf(played)).toEqual(['calendar.create', 'calendar.create', 'finish']);
    expect(played.finish).toMatchObject({
      status: 'FAILED',
      error_message: 'calendar.create: end must be after start',
    });
    expect(played.text).toBe('"Create event" did not succeed: end must be after start.');
  });

  test('is not mended again in another field', async () => {
    const refused = (field: string) => failure('INVALID_INPUT', `Unrecognized key: "${field}"`, field);
    const tools = withReplies('calendar.create', refused('location'), refused('title'), refused('start'));
    const played = await play({ ...en, tools }, 'add a dentist appointment tomorrow at 3 pm in Room 5');
    expect(namesOf(played)).toEqual(['calendar.create', 'calendar.create', 'finish']);
  });

  test('is not repeated where there is nothing to mend', async () => {
    const played = await play(
      { ...zh, tools: withReplies('calendar.read', failure('UNAVAILABLE', '日历暂时不可用')) },
      '取消明天的周会',
    );
    expect(namesOf(played)).toEqual(['calendar.read', 'finish']);
    expect(played.finish.status).toBe('FAILED');
    expect(played.text).toBe('「读取日程」没有成功：日历暂时不可用。');
  });

  test('leaves the rest of the work standing', async () => {
    const tools = withReplies('calendar.read', failure('UNAVAILABLE', 'try later'));
    const played = await play({ ...en, tools }, "check tomorrow's calendar and Li Lei's contact");
    expect(played.finish.status).toBe('PARTIAL');
    expect(played.text).toContain('did not succeed: try later');
    expect(played.text).toContain('李雷');
  });

  test('keeps what depends on it from being tried', async () => {
    const tools = withReplies('calendar.update', failure('CONFLICT', 'the event was changed meanwhile'));
    const played = await play({ ...en, tools }, 'move my 3 pm with Li Lei to Friday and tell him');
    expect(namesOf(played)).not.toContain('calendar.share');
    expect(played.finish.status).toBe('PARTIAL');
  });
});

describe('what the user decides', () => {
  test('a rejected deletion is reported politely, and not as a failure', async () => {
    const rejected = failure('APPROVAL_REJECTED', 'rejected by the user');
    const chinese = await play({ ...zh, tools: withReplies('calendar.delete', rejected) }, '取消今天下午三点的会议');
    expect(chinese.finish.status).toBe('PARTIAL');
    expect(chinese.text).toBe('好的，按你的决定，没有执行「删除日程」。');
    const english = await play({ ...en, tools: withReplies('calendar.delete', rejected) }, 'delete evt_1');
    expect(english.finish.status).toBe('PARTIAL');
    expect(english.text).toContain('as you decided');
  });
});

describe('what is not there', () => {
  test('an event that cannot be found is said to be so', async () => {
    const played = await play(zh, '取消11月20日的会议');
    expect(namesOf(played)).toEqual(['calendar.read', 'finish']);
    expect(played.text).toBe('没有找到你说的日程。');
  });

  test('of several that fit, the user is asked which', async () => {
    const played = await play(zh, '取消本周的会议');
    expect(played.text).toContain('有 2 个日程符合');
    expect(namesOf(played)).not.toContain('calendar.delete');
  });

  test('somebody who is no contact is not invited', async () => {
    const played = await play(en, 'Invite Tom to my 3 pm');
    expect(namesOf(played)).not.toContain('calendar.share');
    expect(played.text).toContain('could not find Tom');
  });

  test('nothing is forgotten that was not remembered', async () => {
    const played = await play(en, 'forget my shoe size');
    expect(namesOf(played)).toEqual(['memory.search', 'finish']);
    expect(played.text).toContain('no memory of');
  });
});
