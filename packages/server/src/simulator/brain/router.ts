import type { IntentResult } from '@kith/protocol';
import type { Reading } from '../language/reading.ts';
import type { Interpretation } from './interpret.ts';

/** The intent stage. `route` comes first and the text early: it is streamed out of the partial JSON. */
export function route({ goals, form }: Interpretation, reading: Reading): IntentResult {
  const flags = goals.flatMap(({ goal }) => ('flags' in goal ? [...(goal.flags ?? [])] : []));
  // Outputs are named after it.
  const summary = goals
    .map(({ clause, goal }) => ('brief' in goal ? goal.brief : clause))
    .join(reading.say('；', '; '))
    .slice(0, 500);
  const scenarios = [...new Set(goals.map(({ intent }) => intent.scenario))];
  const rest = {
    intent_summary: summary || reading.say('没有听懂的请求', 'a request that was not understood'),
    safety_flags: [...new Set(flags)],
    scenario: scenarios.length > 1 ? 'multi_step' : (scenarios[0] ?? 'chat'),
  };
  const briefs = goals.flatMap(({ goal }) => ('brief' in goal ? [goal.brief] : []));
  if (briefs.length === 0) {
    return { route: 'DIRECT_EXECUTION', assistant_text: directAnswer(goals, reading), ...rest };
  }
  const brief = [...briefs, ...(form === 'reply' ? [] : [reading.say(formText[form].zh, formText[form].en)])].join(
    '\n',
  );
  return { route: 'NEEDS_EXECUTION', execution_brief: brief, ...rest };
}

const formText = {
  table: { zh: '结果做成表格。', en: 'Put the result into a table.' },
  document: { zh: '结果写成文档。', en: 'Write the result up as a document.' },
};

export function directAnswer(goals: Interpretation['goals'], reading: Reading): string {
  const said = goals.flatMap(({ goal }) => ('say' in goal ? [goal.say] : []));
  return said.length > 0 ? [...new Set(said)].join('\n\n') : notUnderstood(reading);
}

const notUnderstood = ({ say }: Reading) =>
  say(
    '（内置模拟器）这句话我没有听懂。你可以问「我是谁」「我下周有什么日程」，让我「明天下午三点和李雷开会」「记住我喜欢喝茶」，或者问「你能做什么」。',
    '(built-in simulator) I did not understand that. You can ask "Who am I?" or "What\'s on my calendar next week?", tell me "Schedule lunch with Li Lei on Friday at noon" or "Remember that I like tea", or ask "What can you do?".',
  );
