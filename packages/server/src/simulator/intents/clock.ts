import { formatDay, formatTime } from '../language/format.ts';
import { readMoment } from '../language/moments.ts';
import type { Intent } from './intent.ts';

const TIME = /几点|现在.{0,4}时间|什么时间了|\bwhat(?:['’]s| is) the (?:current )?time\b|\bwhat time is it\b/i;
const DATE =
  /几号|几月几|星期几|周几|礼拜几|什么日子|今天.{0,3}日期|\bwhat(?:['’]s| is) (?:the date|today['’]s date|the day)\b|\bwhat (?:day|date) is\b/i;

/** 现在几点 · What day is tomorrow? */
export const clockQuestion: Intent = {
  name: 'clock',
  scenario: 'chat',
  understand(clause, { reading }) {
    const { now, say } = reading;
    const { day } = readMoment(clause, now);
    const asksTime = TIME.test(clause) && (!day || day.equals(now.toPlainDate()));
    if (!asksTime && !DATE.test(clause)) return undefined;
    const when = formatDay(day ?? now.toPlainDate(), reading);
    if (!asksTime)
      return { say: say(`${day && !day.equals(now.toPlainDate()) ? '那天' : '今天'}是 ${when}。`, `It is ${when}.`) };
    const time = formatTime(now.toPlainTime());
    return {
      say: say(`现在是 ${when} ${time}（${now.timeZoneId}）。`, `It is ${time} on ${when} (${now.timeZoneId}).`),
    };
  },
};
