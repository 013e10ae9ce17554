import type { Transaction } from '../../db/index.ts';
import { agenda } from './agenda.ts';
import type { Conflict } from './inputs.ts';
import { expansionOf, type Series } from './recurrence.ts';
import { boundsIn, type Span, touches, toWire } from './span.ts';

const MOST_SHOWN = 10;
const MOST_LOOKED_AT = 500;
/** How far ahead a series is held against the rest of the calendar. */
const AHEAD = { hours: 24 * 60 };

/** What else the user has at that time. Whole days keep nobody busy. `except`: the event itself. */
export async function conflictsOf(
  sql: Transaction,
  userId: string,
  zone: string,
  when: { span: Span; series?: Series | undefined; except: string },
): Promise<Conflict[]> {
  if (when.span.allDay) return [];
  const { from, to } = boundsIn(when.span, zone);
  const spans = when.series ? expansionOf(when.series)(from, from.add(AHEAD)) : [when.span];
  const last = spans.at(-1);
  const window = { from, to: last ? boundsIn(last, zone).to : to };
  const { entries } = await agenda(sql, userId, zone, window, MOST_LOOKED_AT);
  return entries
    .filter(({ row, seriesId, eventId, span }) => {
      if (span.allDay || row.id === when.except || seriesId === when.except || eventId === when.except) return false;
      return spans.some((own) => touches(span, boundsIn(own, zone), zone));
    })
    .slice(0, MOST_SHOWN)
    .map(({ eventId, row, span }) => {
      const { start, end } = toWire(span, zone);
      return { event_id: eventId, title: row.title, start, end };
    });
}
