import { peopleIn } from '../language/people.ts';
import type { Reading } from '../language/reading.ts';
import { eventAbout } from './calendar-change.ts';
import { contactOf, type Draft, type EventSource, type FoundEvent, type Prepared } from './draft.ts';
import { describeEvent, findEvent, pointsAtSomething } from './find-event.ts';
import type { Goal, Intent } from './intent.ts';

const SHARE =
  /^(?:请|麻烦|帮我|再|也|并|顺便|\s)*(?:邀请|通知|告诉|转告|告知|共享|分享|发给|[把将].+(?:共享|分享|发|通知|告诉)给?|[把将].+(?:加到|加进|加入|拉进).*会)|^(?:please |can you |could you |also |and )*(?:invite|tell|notify|inform|let .+ know|share|send (?:it|this)|add(?=.* to (?:the|my|this|that|it)\b(?! (?:calendar|schedule|agenda|contacts))))\b/i;
const SHARE_WORDS =
  /并且|并|顺便|再|也|请|麻烦|帮我|邀请|通知|告诉|转告|告知|共享|分享|发给|给|参加|加入|加到|加进|拉进|\b(?:invite|add|tell|notify|inform|let|know|share|send|to|join|about)\b/gi;
const ANSWERS = [
  { tool: 'calendar.accept_invite', pattern: /接受|答应|同意参加|\b(?:accept|join|say yes to)\b/i },
  { tool: 'calendar.reject_invite', pattern: /拒绝|婉拒|谢绝|推掉|\b(?:reject|decline|turn down|say no to)\b/i },
] as const;
const INVITATION = /\bevt[_-]|邀请|邀约|会|日程|活动|\b(?:invite|invitation|meeting|event|lunch|dinner|call)\b/i;
const SENDER = /\bfrom ([\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)/u;
const REASON = /[，,]?\s*(?:因为|由于|原因是?[:：]?|理由是?[:：]?|\bbecause(?: of)?|\bsince|\breason:)\s*(.+)$/i;

/** 邀请李雷参加明天的会 · and tell him */
export const calendarShare: Intent = {
  name: 'calendar.share',
  scenario: 'calendar',
  understand(clause, { reading }) {
    const people = peopleIn(clause, reading.now);
    if (!SHARE.test(clause) || people.length === 0 || ANSWERS.some(({ pattern }) => pattern.test(clause)))
      return undefined;
    const nameless = people.reduce((left, name) => left.replaceAll(name, ' '), clause);
    const wanted = describeEvent(nameless.replace(SHARE_WORDS, ' '), reading);
    const brief = reading.say(`邀请 ${people.join('、')}`, `Invite ${people.join(', ')}`);
    return {
      brief,
      draft(plan) {
        const guests = people.map((name) => ({ name, step: plan.lookUp(name) }));
        const source = plan.event && !pointsAtSomething(wanted) ? plan.event : findEvent(plan, wanted);
        shareStep(plan, brief, source, guests);
      },
    };
  },
};

function shareStep(plan: Draft, task: string, source: EventSource, guests: readonly { name: string; step: string }[]) {
  const { reading } = plan;
  plan.add({
    tool: 'calendar.share',
    task,
    after: [...source.after, ...guests.map(({ step }) => step)],
    shown: true,
    prepare(outcomes): Prepared {
      const found = guests.map(({ name, step }) => ({ name, contact: contactOf(outcomes, step, name) }));
      const strangers = found.filter(({ contact }) => !contact).map(({ name }) => name);
      if (strangers.length === found.length) return { obstacle: unknownPeople(strangers, reading) };
      const event = source.find(outcomes);
      if ('obstacle' in event) return event;
      const contacts = found.flatMap(({ contact }) => (contact ? [contact] : []));
      return {
        input: { event_id: wholeOf(event), participants: contacts.map(({ contact_id }) => ({ contact_id })) },
        about: { ...eventAbout(event, reading), people: contacts.map(({ name }) => name), strangers },
      };
    },
  });
}

/** One is invited to a series, not to what is left of it. */
const wholeOf = ({ event_id, following }: FoundEvent): string => following?.series_id ?? event_id;

function unknownPeople(names: readonly string[], { say }: Reading): string {
  return say(
    `联系人里没有找到${names.join('、')}，没有发出邀请。`,
    `I could not find ${names.join(', ')} in your contacts, so no invitation was sent.`,
  );
}

/** 接受李雷的邀请 · Decline the project sync tomorrow because I am travelling */
export const calendarAnswer: Intent = {
  name: 'calendar.answer_invite',
  scenario: 'calendar',
  understand(clause, { reading }): Goal | undefined {
    const answer = ANSWERS.find(({ pattern }) => pattern.test(clause));
    if (!answer || !INVITATION.test(clause)) return undefined;
    const reason = REASON.exec(clause)?.[1]?.trim();
    const about = clause.replace(REASON, '').replace(answer.pattern, ' ');
    const sender = SENDER.exec(about)?.[1];
    const described = describeEvent(sender ? about.replace(SENDER, ' ') : about, reading);
    const wanted = sender ? { ...described, people: [...described.people, sender] } : described;
    const brief = clause.trim();
    return {
      brief,
      draft(plan) {
        const unanswered = (event: { my_status?: string | null }) => event.my_status === 'invited';
        const known = plan.event && !pointsAtSomething(wanted) ? plan.event : undefined;
        const source = known ?? findEvent(plan, wanted, unanswered);
        plan.add({
          tool: answer.tool,
          task: brief,
          after: source.after,
          tolerant: true,
          shown: true,
          prepare(outcomes): Prepared {
            const event = source.find(outcomes);
            if ('obstacle' in event) return event;
            const input = { event_id: wholeOf(event), ...(reason ? { reason } : {}) };
            return { input, about: eventAbout(event, reading) };
          },
        });
      },
    };
  },
};
