import { CalendarEventList } from '@kith/protocol';
import { Temporal } from 'temporal-polyfill';
import type { Transaction } from '../../db/index.ts';
import { errors } from '../../errors/index.ts';
import { SkillFailure } from '../failures.ts';
import { done } from '../output.ts';
import type { SkillContext, SkillMethod } from '../port.ts';
import { cut, inLanguage } from '../words.ts';
import { agenda, type Entry, entriesOf, entryOf, type Window } from './agenda.ts';
import { eventCard, listCard } from './hints.ts';
import { ReadInput } from './inputs.ts';
import { overridesWithWords, rowsWithWords } from './rows.ts';
import { boundsIn, isDate, readDate, readInstant, startOfDay, toDate } from './span.ts';
import { entryOfTarget, findTarget } from './target.ts';
import { dayInWords } from './time-words.ts';
import { toEvents } from './wire-event.ts';

const MOST_EVENTS = 100;
const MOST_SHOWN = 1000;
const LONGEST_RANGE_DAYS = 400;
/** How far a search looks to both sides of now. */
const SEARCH_REACH = { hours: 24 * 366 };
const MOST_FOUND = 30;
const MOST_OF_ONE_SERIES = 3;

export const readCalendar: SkillMethod<ReadInput> = {
  module: 'calendar',
  method: 'read',
  effect: 'read',
  idempotent: true,
  approval: false,
  input: ReadInput,
  async run(input, context) {
    const { language } = context;
    switch (input.mode) {
      case 'event':
        return readEvent(input.event_id, context);
      case 'day': {
        const day = readDate(input.date, 'date');
        const window = {
          from: startOfDay(day, context.timezone),
          to: startOfDay(day.add({ days: 1 }), context.timezone),
        };
        return readWindow(window, dayInWords(day, context), context);
      }
      case 'range':
        return readWindow(
          rangeOf(input, context.timezone),
          inLanguage({ zh: '日程', en: 'Events' }, language),
          context,
        );
      case 'search':
        return search(input.query, context);
    }
  },
};

async function readEvent(eventId: string, context: SkillContext) {
  const target = await findTarget(context.sql, context.userId, eventId, { lock: false });
  const events = await toEvents(context.sql, [entryOfTarget(target)], context.timezone, 'full');
  const title = events[0]?.title ?? '';
  return done(
    CalendarEventList,
    { count: events.length, events },
    { summary: title, ...(events[0] ? { hints: eventCard(title, events[0], context) } : {}) },
  );
}

/** Both ends may be dates: the whole of the last day is then meant. */
function rangeOf({ start, end }: { start: string; end: string }, zone: string): Window {
  const from = isDate(start) ? startOfDay(readDate(start, 'start'), zone) : readInstant(start, zone, 'start');
  const to = isDate(end) ? startOfDay(readDate(end, 'end').add({ days: 1 }), zone) : readInstant(end, zone, 'end');
  const hours = from.until(to).total('hours');
  if (hours < 0 || (hours === 0 && isDate(end))) throw new SkillFailure('END_BEFORE_START', 'end');
  if (hours > LONGEST_RANGE_DAYS * 24) throw new SkillFailure('SPAN_TOO_LONG', 'end', { days: LONGEST_RANGE_DAYS });
  return { from, to };
}

async function readWindow(window: Window, title: string, context: SkillContext) {
  const { sql, userId, timezone } = context;
  const { entries, truncated } = await agenda(sql, userId, timezone, window, MOST_EVENTS);
  return list(entries, truncated, title, context);
}

/** A user's calendar between two times or dates, for those who show it. */
export async function calendarBetween(
  sql: Transaction,
  userId: string,
  zone: string,
  range: { from: string; to: string },
): Promise<CalendarEventList> {
  const window = requestedRange(range, zone);
  const { entries, truncated } = await agenda(sql, userId, zone, window, MOST_SHOWN);
  const events = await toEvents(sql, entries, zone, 'full');
  return { count: events.length, events, ...(truncated ? { truncated } : {}) };
}

function requestedRange({ from, to }: { from: string; to: string }, zone: string): Window {
  try {
    return rangeOf({ start: from, end: to }, zone);
  } catch (error) {
    if (!(error instanceof SkillFailure)) throw error;
    const field = error.field === 'start' ? 'from' : 'to';
    throw errors.REQUEST_INVALID({ fields: [{ field, message: error.toToolError('en').message }] });
  }
}

async function list(entries: readonly Entry[], truncated: boolean, title: string, context: SkillContext) {
  const events = await toEvents(context.sql, entries, context.timezone, 'list');
  const count = events.length;
  return done(
    CalendarEventList,
    { count, events, ...(truncated ? { truncated } : {}) },
    {
      summary: inLanguage({ zh: `${title}：${count} 个日程`, en: `${title}: ${count} event(s)` }, context.language),
      hints: listCard(title, events, context),
    },
  );
}

/** What is coming first, soonest first; then what is over, latest first. Of a series only the occurrences near now. */
async function search(query: string, context: SkillContext) {
  const { sql, userId, timezone, language } = context;
  const now = Temporal.Instant.fromEpochMilliseconds(context.now.getTime());
  const window = { from: now.subtract(SEARCH_REACH), to: now.add(SEARCH_REACH) };
  const words = query.toLowerCase().split(/\s+/);
  const [from, to] = [toDate(window.from), toDate(window.to)];
  const rows = await rowsWithWords(sql, userId, words, from, to);
  const changed = await overridesWithWords(sql, userId, words, from, to);
  const regular = await nearNow(rows, now, window, context);
  const found = new Map([...regular, ...changed.map(entryOf)].map((entry) => [entry.eventId, entry]));
  const ordered = [...found.values()].sort(byNearness(now, timezone));
  const title = inLanguage({ zh: `「${cut(query, 40)}」`, en: `"${cut(query, 40)}"` }, language);
  return list(ordered.slice(0, MOST_FOUND), ordered.length > MOST_FOUND, title, context);
}

async function nearNow(
  rows: Awaited<ReturnType<typeof rowsWithWords>>,
  now: Temporal.Instant,
  window: Window,
  { sql, timezone }: SkillContext,
): Promise<Entry[]> {
  const single = rows.filter((row) => !row.recurrence);
  const entries = await entriesOf(sql, single, timezone, window, single.length);
  for (const series of rows.filter((row) => row.recurrence).slice(0, MOST_FOUND)) {
    const coming = await entriesOf(sql, [series], timezone, { from: now, to: window.to }, MOST_OF_ONE_SERIES);
    const past = coming.length > 0 ? [] : await entriesOf(sql, [series], timezone, { from: window.from, to: now }, 400);
    entries.push(...coming.slice(0, MOST_OF_ONE_SERIES), ...past.slice(-1));
  }
  return entries;
}

function byNearness(now: Temporal.Instant, zone: string) {
  return (a: Entry, b: Entry): number => {
    const [first, second] = [boundsIn(a.span, zone), boundsIn(b.span, zone)];
    const over = (bounds: Window) => Temporal.Instant.compare(bounds.to, now) < 0;
    if (over(first) !== over(second)) return over(first) ? 1 : -1;
    const order = Temporal.Instant.compare(first.from, second.from);
    return over(first) ? -order : order;
  };
}
