import { formatDay, formatRange } from '../language/format.ts';
import { readMoment, saysWhen } from '../language/moments.ts';
import type { Reading } from '../language/reading.ts';
import { daysAhead, daysOf, describeEvent, type EventDescription, HORIZON_DAYS, rangeInput } from './find-event.ts';
import type { Intent } from './intent.ts';

const CHINESE_NOUN =
  /日程|行程|日历|安排|会议|活动|约会|会吗|的会|什么会|几个会|有空|空闲|忙吗|忙不忙|要做什么|什么事|有会/;
const CHINESE_ASK =
  /查|看|列|显示|读|告诉我|给我|有什么|有哪些|有没有|什么|哪|几|吗|？|\?|怎么样|多少|的(?:日程|行程|日历|安排|会议)$|^我?(?:的)?(?:日程|日历)/;
const ENGLISH_NOUN =
  /\b(?:calendar|schedule|agenda|meetings?|events?|appointments?|free|busy|available|plans|what(?:['’]s| is) on)\b/i;
const ENGLISH_ASK =
  /^(?:what|when|which|show|list|check|see|look|read|do i|am i|is there|are there|have i|tell me|give me|any|anything|how many|how['’]s|how (?:is|does)|my|pull up|find|get|view|export|print|download|summari[sz]e|(?:please|can you|could you|help me)\b.*\b(?:check|show|list|tell|look|see|find|get|read|pull up))\b|\?$/i;
/** 我什么时候和李雷开会: asked for a time, the calendar answers. */
const WHEN_DO =
  /(?:什么时候|何时|哪天|几点).{0,15}(?:开.{0,4}会|见面|会面|吃饭|出差|面试|讨论)|^when(?:['’]s| is| are| am| do)\b.*\b(?:lunch|dinner|breakfast|coffee|call|interview|review|stand-?up|party|trip|vacation|meet|see|seeing)\b/i;
/** 明天的安排 · today's agenda: enough said, if nothing else is. */
const OF_A_DAY = /日程|行程|日历|安排$|\b(?:calendar|schedule|agenda|meetings|events|appointments|plans)\b/i;
const OTHER_QUESTION = /几点|几号|[周期拜]几|时间|日期|\b(?:time|date|day is)\b/i;
const INVITATIONS =
  /(?:什么|哪些|几个|有没有|查|看|列).{0,8}邀请|邀请.{0,3}(?:吗|有哪些)|\b(?:what|which|any|show|list|see|do i have)\b.*\b(?:invitations|invites)\b/i;
const NEXT = /下一?[个场](?:会议?|日程|安排|活动)|\b(?:next|upcoming) (?:meeting|event|appointment|call)\b/i;
/** 安排 is also a noun; at the beginning it is an order. */
const ORDER = /^(?:请|麻烦|你|帮我|给我|替我)*(?:安排|创建|新建|添加|新增|预约|预定|约)/;
const SEARCH_VERBS =
  /导出|总结|查找|查询|查一?下|看一?下|看看|搜索|查|看|列出|显示|读取|告诉我|给我|有什么|有哪些|有没有|是?什么时候|是什么|什么|哪些|哪天|几点|几个|多少|还有|要做|有|是|吗|呢|空闲|有空|行程|日历|忙不忙|忙|怎么样|如何|那|事|\b(?:(?:what|how) about|what(?:['’]s| is| are| does| do)?|when(?:['’]s| is| are)?|which|show|list|check|see|look(?: up| at|(?:s|ing)? like)?|read|do i have|do|have|am i|am|i|is there|are there|tell me|tell|give me|give|anything|any|how many|how(?:['’]s| is| does)?|happening|doing|going on|planned|next|upcoming|export|print|download|summari[sz]e|on|at|in|me|scheduled?|agenda|plans|free|busy|available|find|get|view|coming up|up|help)\b|[?？]/gi;

const CHANGES = new Set(['calendar.create', 'calendar.update', 'calendar.delete']);

/** 帮我查一下我下周的日程 · What's on my calendar tomorrow? */
export const calendarRead: Intent = {
  name: 'calendar.read',
  scenario: 'calendar',
  understand(clause, { reading }) {
    if (ORDER.test(clause)) return undefined;
    const asked = describeAsked(clause, reading);
    if (!isAsked(clause) && !isDayAlone(clause, asked)) return undefined;
    const ahead = aheadOf(clause, asked);
    const brief = reading.say(
      `查询日程：${whenText(asked, reading)}`,
      `Read the calendar: ${whenText(asked, reading)}`,
    );
    return {
      brief,
      draft(plan) {
        plan.add({
          tool: 'calendar.read',
          task: brief,
          // What the same message changes is seen.
          after: plan.steps.filter(({ tool }) => CHANGES.has(tool)).map(({ id }) => id),
          tolerant: true,
          shown: true,
          prepare: () =>
            ahead ? { input: daysAhead(HORIZON_DAYS, reading), about: ahead } : { input: readInput(asked, reading) },
        });
      },
    };
  },
};

function isAsked(clause: string): boolean {
  const chinese = CHINESE_NOUN.test(clause) && CHINESE_ASK.test(clause);
  const english = ENGLISH_NOUN.test(clause) && ENGLISH_ASK.test(clause);
  return chinese || english || [WHEN_DO, NEXT, INVITATIONS].some((pattern) => pattern.test(clause));
}

/** The next event, or the invitations that wait for an answer: both are looked for in all that is ahead. */
function aheadOf(clause: string, { moment }: EventDescription): { next: true } | { invited: true } | undefined {
  if (saysWhen(moment)) return undefined;
  if (INVITATIONS.test(clause)) return { invited: true };
  return NEXT.test(clause) ? { next: true } : undefined;
}

/** 明天呢 · What does next week look like?: a question about a day, and about nothing but the day. */
function isDayAlone(clause: string, { moment, people, words }: EventDescription): boolean {
  const days = moment.day ?? moment.range;
  if (!days || moment.time || people.length > 0 || words !== '' || OTHER_QUESTION.test(clause)) return false;
  return OF_A_DAY.test(clause) || CHINESE_ASK.test(clause) || ENGLISH_ASK.test(clause) || /呢[?？]?$/.test(clause);
}

/** Times are read from the whole clause; for the words of a title, they and the words of asking are taken out. */
function describeAsked(clause: string, reading: Reading): EventDescription {
  const whole = describeEvent(clause, reading);
  const timeless = whole.id ? clause : readMoment(clause, reading.now).rest;
  return { ...describeEvent(timeless.replace(SEARCH_VERBS, ' '), reading), moment: whole.moment };
}

function readInput({ id, moment, people, words }: EventDescription, reading: Reading): Record<string, unknown> {
  if (id) return { mode: 'event', event_id: id };
  const days = daysOf(moment);
  if (days) return rangeInput(days, reading);
  if (moment.day) return { mode: 'day', date: moment.day.toString() };
  const query = words || people[0];
  if (query) return { mode: 'search', query };
  return { mode: 'day', date: reading.now.toPlainDate().toString() };
}

function whenText({ moment, people, words }: EventDescription, reading: Reading): string {
  const days = daysOf(moment);
  if (days) return formatRange(days, reading);
  if (moment.day) return formatDay(moment.day, reading);
  return words || people[0] || formatDay(reading.now.toPlainDate(), reading);
}
