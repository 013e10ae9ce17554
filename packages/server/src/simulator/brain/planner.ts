import { type Draft, draftPlan, type Step } from '../intents/draft.ts';
import type { Reading } from '../language/reading.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { type Answer, type AnsweredCall, textAnswer } from './answer.ts';
import { finishArguments } from './finish.ts';
import type { Interpretation } from './interpret.ts';
import { mending } from './mend.ts';
import { type DueCall, type Progress, replay } from './replay.ts';
import { directAnswer } from './router.ts';

/** The execution stage: one function-calling turn. Plans first where there is much to do, then calls what is ready. */
export function planTurn(prompt: Prompt, meaning: Interpretation, reading: Reading): Answer {
  const draft = draftOf(meaning, reading);
  const planned = plannedBefore(prompt);
  if (offers(prompt, 'plan') && !planned && prompt.rounds.length === 0 && wantsPlan(meaning, draft)) {
    return calls([{ name: 'plan', arguments: planArguments(draft, meaning, reading) }]);
  }
  const progress = replay(draft.steps, prompt.rounds, mending(reading));
  if (progress.due.length > 0) return calls(progress.due.map((due) => toolCall(due, planned)));
  if (!offers(prompt, 'finish')) return textAnswer(closingText(meaning, progress, reading));
  return calls([{ name: 'finish', arguments: finishArguments(draft, meaning, progress, reading) }]);
}

/** The same end of the stage, for a caller that wants it as JSON. */
export function executionResult(prompt: Prompt, meaning: Interpretation, reading: Reading): Record<string, unknown> {
  const draft = draftOf(meaning, reading);
  const progress = replay(draft.steps, prompt.rounds, mending(reading));
  const { output: _output, ...execution } = finishArguments(draft, meaning, progress, reading);
  return execution;
}

function draftOf({ goals }: Interpretation, reading: Reading): Draft {
  const draft = draftPlan(reading);
  for (const { goal } of goals) if ('draft' in goal) goal.draft(draft);
  return draft;
}

const offers = ({ tools }: Prompt, name: string) => tools.some((tool) => tool.name === name);

/** A plan that the runtime refused is none: its todos do not exist. */
function plannedBefore({ rounds }: Prompt): boolean {
  return rounds.some((round) => round.some((call) => call.name === 'plan' && call.reply?.status === 'success'));
}

function wantsPlan({ goals, form, criteria }: Interpretation, { steps }: Draft): boolean {
  const requests = goals.filter(({ goal }) => 'draft' in goal).length;
  return steps.length > 0 && (requests > 1 || form === 'document' || criteria !== undefined);
}

function planArguments(
  { steps }: Draft,
  { form, criteria }: Interpretation,
  { say }: Reading,
): Record<string, unknown> {
  const certain = steps.filter((step) => !step.conditional);
  const ids = new Set(certain.map((step) => step.id));
  const todos = certain.map((step, at) => ({
    id: step.id,
    task: step.task,
    dependencies: step.after.filter((id) => ids.has(id)),
    suggested_tools: [step.tool],
    priority: step.after.length === 0 ? 6 : 5,
    ...(criteria && at === certain.length - 1 ? { success_criteria: criteria } : {}),
  }));
  const sections = [
    { id: 'summary', expected: say('概述', 'Summary'), type: 'text' },
    { id: 'details', expected: say('详情', 'Details'), type: form === 'table' ? 'table' : 'text' },
  ];
  return { todos, output_style: form, ...(form === 'document' ? { output_structure: sections } : {}) };
}

function toolCall({ step, input }: DueCall, planned: boolean): { name: string; arguments: Record<string, unknown> } {
  if (step.client) return { name: step.tool, arguments: input };
  const { module, method } = moduleAndMethod(step);
  return {
    name: 'project_cli',
    arguments: { module, method, input, ...(planned && !step.conditional ? { todo_id: step.id } : {}) },
  };
}

/** `mcp.weather.forecast` is the method `forecast` of the module `mcp.weather`. */
function moduleAndMethod({ tool }: Step): { module: string; method: string } {
  const dot = tool.lastIndexOf('.');
  return { module: tool.slice(0, dot), method: tool.slice(dot + 1) };
}

function calls(made: readonly { name: string; arguments: Record<string, unknown> }[]): Answer {
  const toolCalls: AnsweredCall[] = made.map((call) => ({
    name: call.name,
    arguments: JSON.stringify(call.arguments),
  }));
  return { text: '', toolCalls };
}

/** For callers with tools of their own and no `finish`: the loop ends with a text. */
function closingText({ goals }: Interpretation, { outcomes }: Progress, reading: Reading): string {
  const results = [...outcomes.values()].flatMap((outcome) => (outcome.state === 'done' ? [outcome.result] : []));
  if (results.length === 0) return directAnswer(goals, reading);
  const shown = results.map((result) => (typeof result === 'string' ? result : JSON.stringify(result))).join('\n');
  return reading.say(`完成。结果：${shown}`, `Done. Result: ${shown}`);
}
