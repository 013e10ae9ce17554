import { Temporal } from 'temporal-polyfill';
import { formatSpan, isoOf, isoString, localTime } from '../language/format.ts';
import { type Moment, readMoment } from '../language/moments.ts';
import type { Reading } from '../language/reading.ts';
import type { FoundEvent, Prepared } from './draft.ts';
import { describeEvent, findEvent, pointsAtSomething } from './find-event.ts';
import type { Intent } from './intent.ts';

/** How the event changes, told from the event as it is. */
interface Change {
  source: string;
  say(reading: Reading): string;
  apply(event: FoundEvent, reading: Reading): Record<string, unknown> | undefined;
}

const CHINESE_MOVE =
  /^(.*?)(?:改到|改成|改为|挪到|移到|移动到|推迟到|延后到|提前到|调整到|调到|换到|改期到|顺延到|延期到)(.+)$/;
const ENGLISH_MOVE =
  /\b(?:move|reschedule|push|shift|postpone|change|delay|bring forward|bump)\b(.*?)\s+(?:to|until|till)\s+(.+)$/i;
const CHINESE_DELAY = /^(.*?)(推迟|延后|顺延|往后推|提前|往前提)(.+)$/;
const ENGLISH_DELAY = /\b(postpone|delay|push back|push|move up|bring forward)\b(.*?)\s+by\s+(.+)$/i;
const RENAME = /^(.*?)(?:改名为|改名叫|重命名为|标题改成|标题改为)\s*(.+)$|\brename\b(.*?)\s+to\s+(.+)$/i;
const RELOCATE =
  /^(.*?)的?(?:地点|地方|会议室)(?:改到|改成|改为|换到|换成)\s*(.+)$|\bchange the (?:location|place|room) of\b(.*?)\s+to\s+(.+)$/i;
const LATER = /推迟|延后|顺延|延期|\b(?:postpone|delay|push)\b/i;
const QUOTES = /^[「『“"']|[」』”"'。.]$/g;

/** Move my 3 pm with Li Lei to Friday · 把明天的周会推迟一小时 · rename … to … */
export const calendarChange: Intent = {
  name: 'calendar.update',
  scenario: 'calendar',
  understand(clause, { reading }) {
    const change = relocation(clause) ?? renaming(clause) ?? move(clause, reading) ?? delay(clause, reading);
    if (!change) return undefined;
    const wanted = describeEvent(change.source, reading);
    const brief = change.say(reading);
    return {
      brief,
      draft(plan) {
        const known = plan.event;
        const source = known && !pointsAtSomething(wanted) ? known : findEvent(plan, wanted);
        const step = plan.add({
          tool: 'calendar.update',
          task: brief,
          after: source.after,
          tolerant: true,
          shown: true,
          prepare(outcomes): Prepared {
            const event = source.find(outcomes);
            if ('obstacle' in event) return event;
            const changes = change.apply(event, reading);
            if (!changes) return { obstacle: reading.say('没听清要改成什么。', 'I did not get what to change it to.') };
            return { input: { ...addressOf(event), ...changes }, about: eventAbout(event, reading) };
          },
        });
        plan.event = {
          after: [...source.after, step],
          find(outcomes) {
            const event = source.find(outcomes);
            return 'obstacle' in event ? event : { ...event, ...change.apply(event, reading) };
          },
        };
      },
    };
  },
};

function move(clause: string, reading: Reading): Change | undefined {
  const match = CHINESE_MOVE.exec(clause) ?? ENGLISH_MOVE.exec(clause);
  const [, source, target] = match ?? [];
  if (source === undefined || !target) return undefined;
  const to = readMoment(target, reading.now);
  if (!to.day && !to.time) return undefined;
  const later = LATER.test(clause);
  return {
    source: source.replace(/^把|^将/, ''),
    say: ({ say }) => say(`把日程改到${target.trim()}`, `Move the event to ${target.trim()}`),
    apply: (event) => movedTo(event, later ? notEarlier(to, event, reading) : to, reading),
  };
}

/** An evening class that is postponed to eight is not postponed to the morning. */
function notEarlier(to: Moment, event: FoundEvent, reading: Reading): Moment {
  const start = localTime(event.start, reading)?.toPlainTime();
  if (to.day || !to.time || !start || Temporal.PlainTime.compare(to.time, start) >= 0 || to.time.hour >= 12) return to;
  return { ...to, time: to.time.add({ hours: 12 }) };
}

/** A day alone keeps the hour, an hour alone keeps the day, and the length stays unless it is said. */
function movedTo(event: FoundEvent, to: Moment, reading: Reading): Record<string, unknown> | undefined {
  const start = localTime(event.start, reading);
  const end = localTime(event.end, reading);
  const oldDay = start?.toPlainDate();
  if (event.all_day && to.day && !to.time && oldDay) {
    const last = (end?.toPlainDate() ?? oldDay).add(oldDay.until(to.day));
    return { start: to.day.toString(), end: last.toString() };
  }
  const day = to.day && oldDay?.equals(to.day) && !to.time ? to.day.add({ weeks: 1 }) : (to.day ?? oldDay);
  const time = to.time ?? start?.toPlainTime();
  if (!day || !time) return undefined;
  const length = to.minutes ?? (start && end ? start.until(end).total('minutes') : 60);
  const newStart = day.toZonedDateTime({ timeZone: reading.now.timeZoneId, plainTime: time });
  const newEnd = to.until ? isoOf(day, to.until, reading) : isoString(newStart.add({ minutes: Math.round(length) }));
  return { start: isoString(newStart), end: newEnd };
}

function delay(clause: string, reading: Reading): Change | undefined {
  const chinese = CHINESE_DELAY.exec(clause);
  const english = ENGLISH_DELAY.exec(clause);
  const [source, verb, amount] = chinese
    ? [chinese[1], chinese[2], chinese[3]]
    : [english?.[2], english?.[1], english?.[3]];
  const { minutes } = readMoment(amount ?? '', reading.now);
  if (source === undefined || !verb || !minutes) return undefined;
  const signed = /提前|往前|move up|forward/i.test(verb) ? -minutes : minutes;
  return {
    source: source.replace(/^把|^将/, ''),
    say: ({ say }) => say(`把日程${verb}${minutes}分钟`, `${verb} the event by ${minutes} minutes`),
    apply(event) {
      const start = localTime(event.start, reading)?.add({ minutes: signed });
      const end = localTime(event.end, reading)?.add({ minutes: signed });
      return start && end ? { start: isoString(start), end: isoString(end) } : undefined;
    },
  };
}

function renaming(clause: string): Change | undefined {
  const match = RENAME.exec(clause);
  const source = match?.[1] ?? match?.[3];
  const title = (match?.[2] ?? match?.[4])?.trim().replace(QUOTES, '');
  if (source === undefined || !title) return undefined;
  return {
    source: source.replace(/^把|^将/, ''),
    say: ({ say }) => say(`把日程改名为「${title}」`, `Rename the event to "${title}"`),
    apply: () => ({ title }),
  };
}

function relocation(clause: string): Change | undefined {
  const match = RELOCATE.exec(clause);
  const source = match?.[1] ?? match?.[3];
  const location = (match?.[2] ?? match?.[4])?.trim().replace(QUOTES, '');
  if (source === undefined || !location) return undefined;
  return {
    source: source.replace(/^把|^将/, ''),
    say: ({ say }) => say(`把地点改为${location}`, `Change the location to ${location}`),
    apply: () => ({ location }),
  };
}

/** Which event, and how much of its series. */
export const addressOf = ({ event_id, following }: FoundEvent): { event_id: string; scope?: 'following' } =>
  following ? { event_id, scope: 'following' } : { event_id };

/** For the answer: an event's old name and time. */
export function eventAbout(event: FoundEvent, reading: Reading): Record<string, unknown> {
  const { title, start, following } = event;
  return { title, when: start ? formatSpan(event, reading) : '', ...(following ? { following: true } : {}) };
}
