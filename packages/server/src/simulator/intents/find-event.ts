import { Temporal } from 'temporal-polyfill';
import { formatSpan, isoOf, localTime, MIDNIGHT } from '../language/format.ts';
import { type DayRange, type Moment, readMoment, saysWhen } from '../language/moments.ts';
import { peopleIn } from '../language/people.ts';
import type { Reading } from '../language/reading.ts';
import { contactOf, type Draft, type EventSource, type FoundEvent, type Outcomes, resultOf } from './draft.ts';
import { type CalendarEvent, eventsIn } from './results.ts';

/** How a sentence points at an event: by its id, its time, its people, the words of its title. */
export interface EventDescription {
  id?: string;
  moment: Moment;
  people: readonly string[];
  words: string;
}

const EVENT_ID = /\b(evt[_-][\w-]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?:[:_@][\w:.+-]+)?)\b/i;
/** Words that say "event" and no more. */
const FILLER =
  /帮我|请|麻烦|把|将|我的|我|呢|都|所有|全部|那个|这个|这场|那场|的|日程|安排|会议|活动|约会|会面|开(?:[个场]|一[个场])?会|(?<=^|[的个场\s])会|邀请|邀约|参加|一下|给|从|和|跟|与|它|吧|了|\b(?:please|can you|could you|my|our|the|a|an|this|that|it|with|of|for|meetings?|events?|appointments?|invites?|invitations?|calendar|from|to|and|call it|everything|all)\b|[，。,.!?！？「」“”"']/gi;
/** How far ahead to look for an event whose day was not said. */
export const HORIZON_DAYS = 30;

export function describeEvent(text: string, reading: Reading): EventDescription {
  const id = EVENT_ID.exec(text)?.[1];
  const { rest, ...moment } = readMoment(text, reading.now);
  const people = peopleIn(text, reading.now);
  const nameless = people.reduce((left, name) => left.replaceAll(name, ' '), rest);
  const words = nameless.replace(FILLER, ' ').replace(/\s+/g, ' ').trim();
  return { ...(id ? { id } : {}), moment, people, words };
}

export function pointsAtSomething({ id, moment, people, words }: EventDescription): boolean {
  return Boolean(id) || saysWhen(moment) || people.length > 0 || words !== '';
}

/**
 * Adds the reading steps that find the event; the source tells which it is once they are done.
 * Of several that fit the description, those that are `likely` are meant.
 */
export function findEvent(
  draft: Draft,
  described: EventDescription,
  likely: (event: CalendarEvent) => boolean = () => true,
): EventSource {
  const { reading } = draft;
  const wanted = pointsAtSomething(described) ? described : { ...described, words: lastTitle(reading) };
  const { id } = wanted;
  if (id) return { after: [], find: () => ({ event_id: id, title: '' }) };
  const first = draft.add({
    tool: 'calendar.read',
    task: reading.say('找到这个日程', 'Find the event'),
    after: [],
    prepare: () => ({ input: whereToLook(wanted, reading) }),
  });
  const people = wanted.people.map((name) => ({ name, step: draft.lookUp(name) }));
  const after = [first, ...people.map(({ step }) => step)];
  const candidates = (outcomes: Outcomes) => eventsIn(resultOf(outcomes, first));
  const choose = (events: readonly CalendarEvent[], outcomes: Outcomes) => {
    const fitting = matching(events, wanted, aliases(people, outcomes), reading);
    const meant = fitting.filter(likely);
    return meant.length > 0 ? meant : fitting;
  };
  const source = (steps: readonly string[], events: (outcomes: Outcomes) => readonly CalendarEvent[]): EventSource => ({
    after: steps,
    find: (outcomes) =>
      // A failed reading is told as such: the event may well be there.
      outcomes.get(first)?.state === 'done' ? theOne(choose(events(outcomes), outcomes), reading) : { obstacle: '' },
  });
  if (wanted.moment.day || wanted.moment.range || !wanted.moment.time) return source(after, candidates);
  // Only an hour was said: today comes first, then whatever day has such an event.
  const wider = draft.add({
    tool: 'calendar.read',
    task: reading.say('在之后的日程里找', 'Look further ahead'),
    after,
    tolerant: true,
    conditional: true,
    prepare: (outcomes) =>
      choose(candidates(outcomes), outcomes).length > 0 ? { skip: true } : { input: daysAhead(HORIZON_DAYS, reading) },
  });
  return source([...after, wider], (outcomes) => [...candidates(outcomes), ...eventsIn(resultOf(outcomes, wider))]);
}

/** `it` is the event that the answer before was about: answers name events in quotes. */
function lastTitle({ history }: Reading): string {
  const answer = history.findLast(({ role }) => role === 'assistant')?.text ?? '';
  const quoted = [...answer.matchAll(/「([^」]{1,80})」|"([^"]{1,80})"/g)].at(-1);
  return quoted?.[1] ?? quoted?.[2] ?? '';
}

function whereToLook({ moment, people, words }: EventDescription, reading: Reading): Record<string, unknown> {
  const days = daysOf(moment);
  if (days) return rangeInput(days, reading);
  if (moment.day) return { mode: 'day', date: moment.day.toString() };
  if (moment.time) return { mode: 'day', date: reading.now.toPlainDate().toString() };
  if (words && people.length === 0) return { mode: 'search', query: words };
  return daysAhead(HORIZON_DAYS, reading);
}

/** Several days that were named together. */
export function daysOf({ day, lastDay, range }: Moment): DayRange | undefined {
  return day && lastDay ? { start: day, end: lastDay.add({ days: 1 }) } : range;
}

export function rangeInput({ start, end }: DayRange, reading: Reading): Record<string, unknown> {
  return { mode: 'range', start: isoOf(start, MIDNIGHT, reading), end: isoOf(end, MIDNIGHT, reading) };
}

export function daysAhead(days: number, reading: Reading): Record<string, unknown> {
  const start = reading.now.toPlainDate();
  return rangeInput({ start, end: start.add({ days }) }, reading);
}

/** Li Lei may be 李雷 in the calendar: the contact's name counts as well as the spoken one. */
function aliases(people: readonly { name: string; step: string }[], outcomes: Outcomes): string[] {
  return people.flatMap(({ name, step }) => [name, contactOf(outcomes, step, name)?.name ?? name]);
}

/** Narrows by time, then people, then words; a trait that fits nothing is not held against the rest. */
function matching(
  events: readonly CalendarEvent[],
  { moment, people, words }: EventDescription,
  names: readonly string[],
  reading: Reading,
): CalendarEvent[] {
  const { time } = moment;
  const atTime = time ? events.filter((event) => localTime(event.start, reading)?.toPlainTime().equals(time)) : events;
  const withPeople = atTime.filter((event) => names.some((name) => mentions(event, name)));
  const narrowed = withPeople.length > 0 || (people.length > 0 && !time) ? withPeople : atTime;
  const worded = words ? narrowed.filter((event) => mentions(event, words)) : [];
  return worded.length > 0 || (words && !time && people.length === 0) ? worded : [...narrowed];
}

function isOver({ end, all_day }: CalendarEvent, reading: Reading): boolean {
  const last = localTime(end, reading);
  const over = all_day ? last?.add({ days: 1 }) : last;
  return over !== undefined && Temporal.ZonedDateTime.compare(over, reading.now) < 0;
}

function mentions(event: CalendarEvent, name: string): boolean {
  const people = [event.organizer ?? '', ...(event.participants ?? []).map(({ name: known }) => known ?? '')];
  const text = [event.title, ...people].join('\n');
  const words = name.toLowerCase().split(/\s+/);
  return text.toLowerCase().includes(name.toLowerCase()) || words.every((word) => text.toLowerCase().includes(word));
}

/** What is over is meant only where nothing else can be. */
function theOne(found: readonly CalendarEvent[], reading: Reading): FoundEvent | { obstacle: string } {
  const ahead = found.filter((event) => !isOver(event, reading));
  const events = ahead.length > 0 ? ahead : found;
  const [event, another] = events;
  if (!event) return { obstacle: reading.say('没有找到你说的日程。', 'I could not find the event you mean.') };
  if (!another) return event;
  // Occurrences of one series are no question: from the next one on, all of them.
  const { series_id } = event;
  if (series_id && events.every((one) => one.series_id === series_id)) return { ...event, following: { series_id } };
  const list = events.map((one) => `- ${formatSpan(one, reading)} ${one.title}`).join('\n');
  return {
    obstacle: reading.say(
      `有 ${events.length} 个日程符合，请告诉我是哪一个：\n${list}`,
      `${events.length} events fit; which one do you mean?\n${list}`,
    ),
  };
}
