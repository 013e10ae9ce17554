import type { Draft, Outcome, Step } from '../intents/draft.ts';
import type { Reading } from '../language/reading.ts';
import type { ReportedCall } from '../reports/report.ts';
import { tellCall } from '../reports/tell.ts';
import type { Interpretation } from './interpret.ts';
import type { DueCall, Progress } from './replay.ts';

/** The arguments of `finish`: an ExecutionResult, and the output tool that is wanted. */
export function finishArguments(
  draft: Draft,
  meaning: Interpretation,
  progress: Progress,
  reading: Reading,
): Record<string, unknown> {
  const made = draft.steps.flatMap((step) => {
    const call = progress.calls.get(step.id);
    const outcome = progress.outcomes.get(step.id);
    return call && outcome ? [{ call: reported(step, call, outcome), outcome }] : [];
  });
  const calls = made.map(({ call }) => call);
  const notes = [...saidAtOnce(meaning), ...reasons(progress)];
  const problems = problemsOf(calls, progress);
  const done = calls.filter((call) => call.status === 'success' || call.status === 'partial').length;
  return {
    status: statusOf(calls, problems),
    execution_summary: reading.say(
      `调用了 ${calls.length} 次工具，成功 ${done} 次。`,
      `Tool calls: ${calls.length}, succeeded: ${done}.`,
    ),
    execution_data: meaning.form === 'table' ? tabular(made, notes, reading) : { calls, notes },
    report_brief: meaning.goals.map(({ clause }) => clause).join('\n') || reading.say('回答用户。', 'Answer the user.'),
    ...(problems.length > 0 ? { error_message: problems.join('; ') } : {}),
    output: `output.${meaning.form}`,
  };
}

/** For a table the rows themselves are the data: the longest list that was found. Whatever else there is to say is noted. */
function tabular(
  made: readonly { call: ReportedCall; outcome: Outcome }[],
  notes: readonly string[],
  reading: Reading,
) {
  const told = made
    .filter(({ call }) => call.shown)
    .map(({ call, outcome }) => tellCall(call, outcome.state === 'done' ? outcome.result : undefined, reading));
  const longest = told
    .flatMap(({ table }) => (table ? [table] : []))
    .toSorted((one, other) => other.rows.length - one.rows.length)[0];
  const rest = told.filter(({ table }) => !table || table !== longest).map(({ text }) => text);
  if (!longest) return { notes: [...rest, ...notes] };
  const { columns } = longest;
  const rows = longest.rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? ''])));
  return { rows, notes: [...rest, ...notes] };
}

function reported({ tool, shown = false }: Step, { input, about }: DueCall, outcome: Outcome): ReportedCall {
  if (outcome.state === 'failed' || outcome.state === 'rejected') {
    const { code, message } = outcome.error;
    return { tool, input, about, status: outcome.state, shown: true, error: { code, message } };
  }
  return { tool, input, about, shown, status: outcome.state === 'done' && outcome.partial ? 'partial' : 'success' };
}

/** Parts of the message that needed no tool. */
const saidAtOnce = ({ goals }: Interpretation): string[] =>
  goals.flatMap(({ goal }) => ('say' in goal ? [goal.say] : []));

const reasons = ({ outcomes }: Progress): string[] => [
  ...new Set(
    [...outcomes.values()].flatMap((outcome) =>
      outcome.state === 'blocked' && outcome.reason ? [outcome.reason] : [],
    ),
  ),
];

function problemsOf(calls: readonly ReportedCall[], progress: Progress): string[] {
  const errors = calls.flatMap(({ tool, error }) => (error ? [`${tool}: ${error.message || error.code}`] : []));
  return [...errors, ...reasons(progress)];
}

/** What the user themselves refused is not a failure of the work. */
function statusOf(calls: readonly ReportedCall[], problems: readonly string[]): 'SUCCESS' | 'PARTIAL' | 'FAILED' {
  const went = (status: ReportedCall['status']) => calls.some((call) => call.status === status);
  if (problems.length === 0) return went('partial') ? 'PARTIAL' : 'SUCCESS';
  return went('success') || went('partial') || went('rejected') ? 'PARTIAL' : 'FAILED';
}
