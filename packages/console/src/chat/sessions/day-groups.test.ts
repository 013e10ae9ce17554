import type { Session } from '@kith/protocol';
import { expect, test } from 'vitest';
import { formatFor } from '../../language/format-for.ts';
import { groupByDay } from './day-groups.ts';

const session = (id: string, updated_at: string): Session => ({
  id,
  thread_id: id,
  user_id: 'u',
  title: id,
  status: 'completed',
  state_snapshot: { status: 'completed', pending_tool_call_id: null },
  runtime_mode: 'chat',
  user_context: null,
  billing_currency: 'CNY',
  billing_country_snapshot: 'CN',
  created_at: updated_at,
  updated_at,
});

test('days are those of the user’s calendar, not of UTC', () => {
  const { day } = formatFor('zh', 'Asia/Shanghai');
  const now = new Date('2026-11-16T01:00:00Z');
  const sessions = [
    session('a', '2026-11-15T16:30:00Z'),
    session('b', '2026-11-15T15:30:00Z'),
    session('c', '2026-11-10T00:00:00Z'),
    session('d', '2026-10-01T00:00:00Z'),
  ];
  expect(groupByDay(sessions, day, now).map(({ group, sessions: some }) => [group, some.map(({ id }) => id)])).toEqual([
    ['today', ['a']],
    ['yesterday', ['b']],
    ['week', ['c']],
    ['earlier', ['d']],
  ]);
});
