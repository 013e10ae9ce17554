import { addressOf, eventAbout } from './calendar-change.ts';
import type { Prepared } from './draft.ts';
import { describeEvent, findEvent, pointsAtSomething } from './find-event.ts';
import type { Intent } from './intent.ts';

const VERB = /取消|删除|删掉|去掉|撤销|\b(?:cancel|delete|remove|call off|drop)\b/i;
const OTHER_THINGS = /联系人|文件|记忆|\b(?:contacts?|files?|memor(?:y|ies))\b/i;

/** 取消明天下午三点的会议 · Cancel my meeting with Li Lei tomorrow. Approval is the runtime's business. */
export const calendarDelete: Intent = {
  name: 'calendar.delete',
  scenario: 'calendar',
  understand(clause, { reading }) {
    if (!VERB.test(clause) || OTHER_THINGS.test(clause)) return undefined;
    const wanted = describeEvent(clause.replace(VERB, ' '), reading);
    const about = clause
      .replace(VERB, '')
      .replace(/^[把将]/, '')
      .trim();
    const brief = reading.say(`删除日程：${about}`, `Delete the event: ${about}`);
    return {
      brief,
      draft(plan) {
        const source = plan.event && !pointsAtSomething(wanted) ? plan.event : findEvent(plan, wanted);
        plan.add({
          tool: 'calendar.delete',
          task: brief,
          after: source.after,
          tolerant: true,
          shown: true,
          prepare(outcomes): Prepared {
            const event = source.find(outcomes);
            if ('obstacle' in event) return event;
            return { input: addressOf(event), about: eventAbout(event, reading) };
          },
        });
      },
    };
  },
};
