import { Temporal } from 'temporal-polyfill';
import { formatSpan, isoString } from '../language/format.ts';
import { type Moment, readMoment } from '../language/moments.ts';
import { peopleIn } from '../language/people.ts';
import type { Reading } from '../language/reading.ts';
import { asRecord } from '../prompt/json.ts';
import { contactOf, type Outcomes, resultOf } from './draft.ts';
import { eventTitle } from './event-title.ts';
import type { Intent } from './intent.ts';

const VERB =
  /安排|创建|新建|添加|新增|加(?:一?个|到|入)|预约|预定|预订|约一?下?|定(?:一?个)|提醒我|帮我记个|\b(?:schedule|create|add|book|set ?up|arrange|plan|put|organi[sz]e|remind me|new (?:event|meeting)|block)\b/i;
const DOING =
  /开.{0,6}会|吃饭|吃午饭|吃晚饭|午餐|晚餐|早餐|聚餐|聚会|见面|见个面|面试|会议|复盘|评审|培训|出差|休假|请假|看牙|看医生|体检|健身|喝咖啡|生日|讨论|演讲|直播|上课|约了?|^(?:i have |i've got |there(?:'s| is) )?(?:an? )?(?:meeting|lunch|dinner|breakfast|coffee|call|interview|appointment|party|standup|review)\b/i;
const ASKING = /[?？]|吗$|什么|哪|几个|多少|^(?:what|when|who|how|do|am|is|are|which)\b/i;
const WHOLE_DAY = /出差|休假|请假|生日|年假|\b(?:birthday|holiday|vacation|trip|day off|off work|out of office)\b/i;
const MEALS: readonly [RegExp, string][] = [
  [/早饭|早餐|\bbreakfast\b/i, '08:00'],
  [/午饭|午餐|\blunch\b/i, '12:00'],
  [/晚饭|晚餐|\bdinner\b/i, '19:00'],
];
const DEFAULT_MINUTES = 60;

/** 明天下午三点和李雷开会一小时 · Schedule lunch with Li Lei on Friday at noon */
export const calendarCreate: Intent = {
  name: 'calendar.create',
  scenario: 'calendar',
  understand(clause, { reading }) {
    const { rest, ...moment } = readMoment(clause, reading.now);
    const timely = Boolean(moment.day ?? moment.time ?? moment.recurrence);
    const verb = VERB.test(rest);
    if (ASKING.test(clause) || !(verb || (DOING.test(rest) && timely))) return undefined;
    const when = whenIs(moment, clause, reading);
    if (!when) return timely || /会|日程|event|meeting|calendar|appointment/i.test(rest) ? askWhen(reading) : undefined;
    const people = peopleIn(clause, reading.now);
    const { title, location } = eventTitle(rest, people, reading);
    const event = { title, ...when, ...(location ? { location } : {}) };
    const brief = reading.say(
      `创建日程「${title}」：${formatSpan(event, reading)}`,
      `Create the event "${title}": ${formatSpan(event, reading)}`,
    );
    return {
      brief,
      draft(plan) {
        const guests = people.map((name) => ({ name, step: plan.lookUp(name) }));
        const step = plan.add({
          tool: 'calendar.create',
          task: brief,
          after: guests.map((guest) => guest.step),
          tolerant: true,
          shown: true,
          prepare: (outcomes) => createInput(event, guests, outcomes),
        });
        plan.event = { after: [step], find: (outcomes) => createdEvent(resultOf(outcomes, step), event, reading) };
      },
    };
  },
};

export const QUESTION_WHEN = {
  zh: '好的，什么时候？请告诉我日期和几点开始。',
  en: 'Sure. When should it be? Please tell me the day and the time.',
};
const askWhen = (reading: Reading) => ({ say: reading.say(QUESTION_WHEN.zh, QUESTION_WHEN.en) });

type When = { start: string; end: string; all_day?: boolean; recurrence?: string };

function whenIs(moment: Moment, clause: string, reading: Reading): When | undefined {
  const { now } = reading;
  const repeats = moment.recurrence ? { recurrence: moment.recurrence } : {};
  const meal = MEALS.find(([pattern]) => pattern.test(clause))?.[1];
  const time = moment.time ?? (moment.day && meal ? Temporal.PlainTime.from(meal) : undefined);
  if (moment.day && (moment.allDay || (!time && WHOLE_DAY.test(clause)))) {
    // Whole days are dates, the last one included.
    return { start: moment.day.toString(), end: moment.day.toString(), all_day: true, ...repeats };
  }
  if (!time) return undefined;
  const day = moment.day ?? now.toPlainDate();
  let start = day.toZonedDateTime({ timeZone: now.timeZoneId, plainTime: time });
  // An hour that is over today means the next day; a Friday that is over, said on Friday, the next one.
  if (Temporal.ZonedDateTime.compare(start, now) < 0 && day.equals(now.toPlainDate())) {
    if (!moment.day) start = start.add({ days: 1 });
    else if (!/今|today|tonight/i.test(clause)) start = start.add({ weeks: 1 });
  }
  const end = moment.until
    ? start.withPlainTime(moment.until)
    : start.add({ minutes: moment.minutes ?? DEFAULT_MINUTES });
  return { start: isoString(start), end: isoString(end), ...repeats };
}

function createInput(
  event: Record<string, unknown>,
  guests: readonly { name: string; step: string }[],
  outcomes: Outcomes,
) {
  const found = guests.map(({ name, step }) => ({ name, contact: contactOf(outcomes, step, name) }));
  const participants = found.flatMap(({ contact }) => (contact ? [{ contact_id: contact.contact_id }] : []));
  const strangers = found.filter(({ contact }) => !contact).map(({ name }) => name);
  return {
    input: participants.length > 0 ? { ...event, participants } : event,
    about: strangers.length > 0 ? { strangers } : {},
  };
}

function createdEvent(result: unknown, event: { title: string } & When, { say }: Reading) {
  const id = asRecord(result)?.event_id;
  if (typeof id !== 'string') return { obstacle: say('日程没有创建成功。', 'The event was not created.') };
  return { event_id: id, ...event };
}
