import type { Draft, Outcome } from '../intents/draft.ts';
import type { Reading } from '../language/reading.ts';
import type { Interpretation } from './interpret.ts';
import type { Progress } from './replay.ts';

/** What the planner tells the output stage about each call that it made; results come as the stage's material. */
export interface ReportedCall {
  tool: string;
  input: Record<string, unknown>;
  status: 'success' | 'partial' | 'failed' | 'rejected';
  /** The answer tells of it; other calls only prepared it. */
  shown: boolean;
  about: Record<string, unknown>;
  error?: { code: string; message: string };
}

/** The arguments of `finish`: an ExecutionResult, and the output tool that is wanted. */
export function finishArguments(
  draft: Draft,
  meaning: Interpretation,
  progress: Progress,
  reading: Reading,
): Record<string, unknown> {
  const calls = draft.steps.flatMap((step) => {
    const call = progress.calls.get(step.id);
    const outcome = progress.outcomes.get(step.id);
    return call && outcome ? [reported(step.tool, step.shown === true, call, outcome)] : [];
  });
  const notes = [...saidAtOnce(meaning), ...reasons(progress)];
  const problems = problemsOf(calls, progress);
  const status = statusOf(calls, problems);
  const done = calls.filter((call) => call.status === 'success' || call.status === 'partial').length;
  return {
    status,
    execution_summary: reading.say(
      `调用了 ${calls.length} 次工具，成功 ${done} 次。`,
      `Tool calls: ${calls.length}, succeeded: ${done}.`,
    ),
    execution_data: { calls, notes },
    report_brief: meaning.goals.map(({ clause }) => clause).join('\n') || reading.say('回答用户。', 'Answer the user.'),
    ...(problems.length > 0 ? { error_message: problems.join('; ') } : {}),
    output: `output.${meaning.form}`,
  };
}

function reported(
  tool: string,
  shown: boolean,
  call: { input: Record<string, unknown>; about: Record<string, unknown> },
  outcome: Outcome,
): ReportedCall {
  const base = { tool, input: call.input, shown, about: call.about };
  if (outcome.state === 'failed' || outcome.state === 'rejected') {
    const { code, message } = outcome.error;
    return { ...base, status: outcome.state, shown: true, error: { code, message } };
  }
  return { ...base, status: outcome.state === 'done' && outcome.partial ? 'partial' : 'success' };
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
