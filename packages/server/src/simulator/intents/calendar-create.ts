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
  /开.{0,6}会|吃饭|吃午饭|吃晚饭|午餐|晚餐|早餐|聚餐|聚会|见面|见个面|面试|会议|[站早晨晚例周]会|一对一|团建|复盘|评审|培训|出差|休假|请假|看牙|看医生|体检|健身|喝咖啡|生日|讨论|演讲|直播|上课|约了?|^(?:i have |i['’]ve got |i(?:['’]m| am|['’]ll be| will be) (?:on |in )?|there(?:['’]s| is) )?(?:an? )?(?:meeting|lunch|dinner|breakfast|coffee|call|interview|appointment|party|stand-?up|review|vacation|holiday|leave|trip|day off|out of office)\b/i;
const ASKING =
  /[?？]|吗$|什么|哪|几个|几点|多少|怎么|是否|有没有|^(?:what|when|who|how|do|am|is|are|which|where|why)\b/i;
const WHOLE_DAY =
  /出差|休假|请假|生日|年假|团建|放假|\b(?:birthday|holiday|vacation|trip|on leave|day off|off work|out of office)\b/i;
/** A sentence about somebody, or one that tells rather than asks for something. */
const TELLS = /^(?:[你您他她它]|i\b|you\b|he\b|she\b|they\b|we\b|it\b)|是|\b(?:is|are|was|were|did|will|does)\b|了$/i;
/** An order of another kind, or the beginning of one. */
const OTHER_ORDER =
  /^(?:请|麻烦|帮我|给我|\s)*[把将让给]|改[到成为名期]|挪|推迟|提前|延[后期]|取消|删|邀请|通知|告诉|查|看看|记住|忘[掉记了]|^(?:please )?(?:move|reschedule|push|shift|postpone|change|delay|bring|cancel|delete|remove|rename|tell|invite|notify|find|show|list|check|remember|forget|read|search|export)\b/i;
const LONGEST_TITLE = 40;
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
    const away = moment.range !== undefined && WHOLE_DAY.test(rest);
    const timely = away || Boolean(moment.day ?? moment.time ?? moment.recurrence);
    const wanted = VERB.test(rest) || (DOING.test(rest) && timely) || isJotted(rest, moment);
    if (ASKING.test(clause) || !wanted) return undefined;
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

/** 周五下午三点产品评审 · Stand-up every Monday at 10 am: an exact time and a few words are an entry in a calendar. */
function isJotted(rest: string, { day, time, lastDay, allDay, recurrence }: Moment): boolean {
  const exact = time ? (day ?? recurrence) !== undefined : Boolean(day && (allDay || lastDay));
  const words = [...rest.replace(/[\s\p{P}]/gu, '')].length;
  return exact && words >= 2 && words <= LONGEST_TITLE && !TELLS.test(rest) && !OTHER_ORDER.test(rest);
}

type When = { start: string; end: string; all_day?: boolean; recurrence?: string };

function whenIs(moment: Moment, clause: string, reading: Reading): When | undefined {
  const { now } = reading;
  const repeats = repetition(moment);
  const meal = MEALS.find(([pattern]) => pattern.test(clause))?.[1];
  const time = moment.time ?? (moment.day && meal ? Temporal.PlainTime.from(meal) : undefined);
  const days = wholeDays(moment);
  if (days && (moment.allDay || (!time && (moment.lastDay || WHOLE_DAY.test(clause))))) {
    return { ...days, all_day: true, ...repeats };
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

/** Whole days are dates, the last one included. */
function wholeDays({ day, lastDay, range }: Moment): Pick<When, 'start' | 'end'> | undefined {
  const first = day ?? range?.start;
  const last = lastDay ?? day ?? range?.end.subtract({ days: 1 });
  return first && last && { start: first.toString(), end: last.toString() };
}

/** An hour on each of several days is repeated on them. */
function repetition({ recurrence, day, lastDay, time, allDay }: Moment): Pick<When, 'recurrence'> {
  const daily = !recurrence || recurrence === 'FREQ=DAILY';
  if (!daily || !day || !lastDay || !time || allDay) return recurrence ? { recurrence } : {};
  return { recurrence: `FREQ=DAILY;COUNT=${day.until(lastDay).days + 1}` };
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
    about: { guests: found.flatMap(({ contact }) => (contact ? [contact.name] : [])), strangers },
  };
}

function createdEvent(result: unknown, event: { title: string } & When, { say }: Reading) {
  const id = asRecord(result)?.event_id;
  if (typeof id !== 'string') return { obstacle: say('日程没有创建成功。', 'The event was not created.') };
  return { event_id: id, ...event };
}
