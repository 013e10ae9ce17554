import type { Session } from '@kith/protocol';

export type DayGroup = 'today' | 'yesterday' | 'week' | 'earlier';

/** Sessions by how long ago they were used, counted in days of the user's own calendar. `dayOf` gives 2026-11-16. */
export function groupByDay(
  sessions: readonly Session[],
  dayOf: (instant: string | Date) => string,
  now: Date,
): { group: DayGroup; sessions: Session[] }[] {
  const today = numberOf(dayOf(now));
  const groups: Record<DayGroup, Session[]> = { today: [], yesterday: [], week: [], earlier: [] };
  for (const session of sessions) groups[groupOf(today - numberOf(dayOf(session.updated_at)))].push(session);
  const order: readonly DayGroup[] = ['today', 'yesterday', 'week', 'earlier'];
  return order.filter((group) => groups[group].length > 0).map((group) => ({ group, sessions: groups[group] }));
}

const numberOf = (day: string): number => Math.round(Date.parse(`${day}T00:00:00Z`) / 86_400_000);

function groupOf(daysAgo: number): DayGroup {
  if (daysAgo <= 0) return 'today';
  if (daysAgo === 1) return 'yesterday';
  return daysAgo <= 7 ? 'week' : 'earlier';
}
