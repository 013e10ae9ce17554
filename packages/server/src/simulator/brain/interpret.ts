import { QUESTION_WHEN } from '../intents/calendar-create.ts';
import type { Goal, Intent, Listener } from '../intents/intent.ts';
import { INTENTS } from '../intents/table.ts';
import { splitClauses } from '../language/clauses.ts';
import { readMoment, saysWhen } from '../language/moments.ts';
import { peopleIn, resolvePronouns } from '../language/people.ts';
import { withoutPoliteness } from '../language/politeness.ts';
import type { Reading } from '../language/reading.ts';
import { respelled } from '../language/spelling.ts';

/** A message, understood. */
export interface Interpretation {
  goals: readonly { intent: Intent; clause: string; goal: Goal }[];
  /** The form that the answer shall have. */
  form: 'reply' | 'table' | 'document';
  /** What the user wants to be sure of, in their words. */
  criteria: string | undefined;
}

const TABLE =
  /[，,]?\s*(?:请)?(?:用|以|做成|列成|整理成|生成|导出(?:成|为)?|放(?:到|进))(?:一?[个张])?(?:表格|表)(?:的?形式|里|中)?(?:给我|展示|列出来|显示)?|[,]?\s*\b(?:as|in|into) an? (?:table|spreadsheet)\b|\b(?:make|create|give me|show me|generate|prepare) (?:me )?an? (?:table|spreadsheet) (?:of|with|from)\b/i;
const DOCUMENT =
  /[，,]?\s*(?:请)?(?:并|再)?(?:写成|整理成|生成|做成|导出(?:成|为)?)(?:一?[份篇个])?(?:文档|报告|markdown)|[,]?\s*\b(?:(?:and )?write it up )?(?:as|into) an? (?:document|report|markdown file)\b|\b(?:make|create|give me|generate|prepare|write|draft) (?:me )?an? (?:short |brief )?(?:document|report|summary) (?:of|from|with)\b(?= (?:my|the next|this|next|today|tomorrow))/i;
const WRITES_DOCUMENT =
  /(?:写|撰写|起草|生成|制作|做)(?:一?[份篇个])?.*(?:报告|文档)|\b(?:write|draft|prepare|make|create|generate)\b.*\b(?:report|document|memo)\b/i;
const CRITERIA = /[，,]?\s*(?:确保|务必保证?)([^，,。;；]+)|[,]?\s*\bmake sure (?:that )?([^,.;]+)/i;

/** A request fits into this; whatever is longer is a text that somebody pasted. */
const LONGEST_REQUEST = 1000;

export function interpret(message: string, listener: Listener): Interpretation {
  const verbatim = understand(message, listener, TAKES_ALL);
  if (verbatim) return { goals: [{ clause: message, ...verbatim }], form: 'reply', criteria: undefined };
  const request = continued(message, listener).slice(0, LONGEST_REQUEST);
  const meaning = interpretRequest(request, listener);
  const mended = respelled(request);
  // What is to be remembered is remembered as it was written.
  if (mended === request || meaning.goals.some(({ intent }) => intent.greedy)) return meaning;
  return interpretRequest(mended, listener);
}

function interpretRequest(whole: string, listener: Listener): Interpretation {
  const { reading } = listener;
  const form = TABLE.test(whole) ? 'table' : DOCUMENT.test(whole) || WRITES_DOCUMENT.test(whole) ? 'document' : 'reply';
  const criteria = CRITERIA.exec(whole);
  const asked = withoutPoliteness(whole)
    .replace(CRITERIA, '')
    .replace(TABLE, ' ')
    .replace(DOCUMENT, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
  const before = lastPerson(reading);
  const anyone = peopleIn(asked, reading.now).at(-1) ?? before;
  let person = before;
  const goals = splitClauses(asked, (clause) => understand(resolvePronouns(clause, anyone), listener)?.intent)
    .map((clause) => {
      const resolved = resolvePronouns(clause, person);
      person = peopleIn(resolved, reading.now).at(-1) ?? person;
      return { clause: resolved, understood: understand(resolved, listener) };
    })
    .flatMap(({ clause, understood }) => (understood ? [{ clause, ...understood }] : []));
  return { goals: withoutAsides(goals), form, criteria: (criteria?.[1] ?? criteria?.[2])?.trim() };
}

/** Commands that are taken as they stand, however long. */
const TAKES_ALL = INTENTS.filter((intent) => intent.greedy === 'message');

function understand(
  clause: string,
  listener: Listener,
  intents: readonly Intent[] = INTENTS,
): { intent: Intent; goal: Goal } | undefined {
  const request = withoutPoliteness(clause);
  for (const intent of intents) {
    const goal = intent.understand(request, listener);
    if (goal) return { intent, goal };
  }
  return undefined;
}

/** Politeness is answered only where there is nothing else to answer. */
function withoutAsides<Understood extends { goal: Goal }>(goals: readonly Understood[]): readonly Understood[] {
  const serious = goals.filter(({ goal }) => !('aside' in goal && goal.aside));
  return serious.length > 0 ? serious : goals.slice(0, 1);
}

/** A time that answers the simulator's own question belongs to what was asked before; a request of its own does not. */
function continued(message: string, listener: Listener): string {
  const { history, now } = listener.reading;
  const answered = history.at(-1);
  const asked = history.findLast(({ role }) => role === 'user');
  const wasAsked = answered?.role === 'assistant' && [QUESTION_WHEN.zh, QUESTION_WHEN.en].includes(answered.text);
  return wasAsked && asked && saysWhen(readMoment(message, now)) && !understand(message, listener)
    ? `${asked.text.replace(/[。.!！]+$/, '')} ${message}`
    : message;
}

function lastPerson({ history, now }: Reading): string | undefined {
  return history
    .filter(({ role }) => role === 'user')
    .flatMap(({ text }) => peopleIn(text, now))
    .at(-1);
}
