import { formatDay, formatRange } from '../language/format.ts';
import type { Reading } from '../language/reading.ts';
import { describeEvent, type EventDescription, rangeInput } from './find-event.ts';
import type { Intent } from './intent.ts';

const CHINESE_NOUN =
  /日程|行程|日历|安排|会议|活动|约会|会吗|的会|什么会|几个会|有空|空闲|忙吗|忙不忙|要做什么|什么事|有会/;
const CHINESE_ASK =
  /查|看|列|显示|读|告诉我|给我|有什么|有哪些|有没有|什么|哪|几|吗|？|\?|怎么样|多少|的(?:日程|行程|日历|安排|会议)$|^我?(?:的)?(?:日程|日历)/;
const ENGLISH_NOUN =
  /\b(?:calendar|schedule|agenda|meetings?|events?|appointments?|free|busy|available|plans|what(?:['’]s| is) on)\b/i;
const ENGLISH_ASK =
  /^(?:what|when|which|show|list|check|see|look|read|do i|am i|is there|are there|have i|tell me|give me|any|how many|my|pull up|find|get|view|(?:please|can you|could you|help me)\b.*\b(?:check|show|list|tell|look|see|find|get|read|pull up))\b|\?$/i;
/** 安排 is also a noun; at the beginning it is an order. */
const ORDER = /^(?:请|麻烦|你|帮我|给我|替我)*(?:安排|创建|新建|添加|新增|预约|预定|约)/;
const SEARCH_VERBS =
  /查找|查询|查一?下|看一?下|看看|搜索|查|看|列出|显示|读取|告诉我|给我|有什么|有哪些|有没有|是?什么时候|是什么|什么|哪些|哪天|几点|几个|多少|还有|要做|有|是|吗|呢|空闲|有空|行程|日历|忙不忙|忙|事|\b(?:what(?:['’]s| is| are| do)?|when(?:['’]s| is| are)?|which|show|list|check|see|look(?: up| at)?|read|do i have|do|have|am i|am|i|is there|are there|tell me|tell|give me|give|any|how many|on|at|in|me|scheduled?|agenda|plans|free|busy|available|find|get|view|coming up|up|help)\b|[?？]/gi;

/** 帮我查一下我下周的日程 · What's on my calendar tomorrow? */
export const calendarRead: Intent = {
  name: 'calendar.read',
  scenario: 'calendar',
  understand(clause, { reading }) {
    const chinese = CHINESE_NOUN.test(clause) && CHINESE_ASK.test(clause);
    const english = ENGLISH_NOUN.test(clause) && ENGLISH_ASK.test(clause);
    if ((!chinese && !english) || ORDER.test(clause)) return undefined;
    const wanted = describeEvent(clause.replace(SEARCH_VERBS, ' '), reading);
    const asked = { ...wanted, ...describeWhen(clause, reading) };
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
          after: [],
          shown: true,
          prepare: () => ({ input: readInput(asked, reading) }),
        });
      },
    };
  },
};

/** The verbs are taken out for the words of the title; times are read from the whole clause. */
function describeWhen(clause: string, reading: Reading): Pick<EventDescription, 'moment'> {
  return { moment: describeEvent(clause, reading).moment };
}

function readInput({ id, moment, people, words }: EventDescription, reading: Reading): Record<string, unknown> {
  if (id) return { mode: 'event', event_id: id };
  if (moment.day) return { mode: 'day', date: moment.day.toString() };
  if (moment.range) return rangeInput(moment.range, reading);
  const query = words || people[0];
  if (query) return { mode: 'search', query };
  return { mode: 'day', date: reading.now.toPlainDate().toString() };
}

function whenText({ moment, people, words }: EventDescription, reading: Reading): string {
  if (moment.day) return formatDay(moment.day, reading);
  if (moment.range) return formatRange(moment.range, reading);
  return words || people[0] || formatDay(reading.now.toPlainDate(), reading);
}
