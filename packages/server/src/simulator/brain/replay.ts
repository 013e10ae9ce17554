import type { Outcome, Outcomes, Step, StepError } from '../intents/draft.ts';
import { asRecord, parseJson } from '../prompt/json.ts';
import type { PastCall, ToolReply } from '../prompt/prompt.ts';

/** A call that the planner makes now. */
export interface DueCall {
  step: Step;
  input: Record<string, unknown>;
  about: Record<string, unknown>;
}

export interface Progress {
  outcomes: Outcomes;
  /** What each tried step was last called with. */
  calls: ReadonlyMap<string, DueCall>;
  /** What can run now, all at the same time; empty when the plan is at its end. */
  due: readonly DueCall[];
}

/** Corrects the input of a failed call, or gives up. */
export type Mend = (
  tool: string,
  input: Record<string, unknown>,
  error: StepError,
) => Record<string, unknown> | undefined;

/**
 * The planner keeps no state between turns. It makes the same plan again from the same message and
 * plays the turn so far against it: what was due in each round is matched with what was called.
 */
export function replay(steps: readonly Step[], rounds: readonly (readonly PastCall[])[], mend: Mend): Progress {
  const outcomes = new Map<string, Outcome>();
  const calls = new Map<string, DueCall>();
  const mended = new Map<string, DueCall>();
  for (const round of rounds) {
    const due = whatIsDue(steps, outcomes, mended);
    const made = round.filter((call) => call.name !== 'plan' && call.name !== 'finish');
    if (made.length === 0) continue;
    for (const [expected, call] of pair(due, made)) {
      const { step } = expected;
      const actual = { ...expected, input: inputOf(call) ?? expected.input };
      const again = mended.delete(step.id);
      calls.set(step.id, actual);
      const outcome = outcomeOf(call.reply);
      const better = outcome.state === 'failed' && !again ? mend(step.tool, actual.input, outcome.error) : undefined;
      if (better) mended.set(step.id, { ...actual, input: better });
      else outcomes.set(step.id, outcome);
    }
  }
  return { due: whatIsDue(steps, outcomes, mended), outcomes, calls };
}

/** Steps whose turn has come. What turns out to be impossible or needless on the way gets its outcome here. */
function whatIsDue(
  steps: readonly Step[],
  outcomes: Map<string, Outcome>,
  mended: ReadonlyMap<string, DueCall>,
): DueCall[] {
  const due: DueCall[] = [...mended.values()];
  const waiting = steps.filter((step) => !outcomes.has(step.id) && !mended.has(step.id));
  for (const step of waiting) {
    const before = step.after.map((id) => outcomes.get(id));
    if (before.includes(undefined)) continue;
    if (!step.tolerant && before.some((outcome) => outcome && !wentWell(outcome))) {
      outcomes.set(step.id, { state: 'blocked' });
      continue;
    }
    const prepared = step.prepare(outcomes);
    if ('obstacle' in prepared) outcomes.set(step.id, { state: 'blocked', reason: prepared.obstacle });
    else if ('skip' in prepared) outcomes.set(step.id, { state: 'skipped' });
    else due.push({ step, input: prepared.input, about: prepared.about ?? {} });
  }
  return due;
}

const wentWell = (outcome: Outcome) => outcome.state === 'done' || outcome.state === 'skipped';

/** By place; should the runtime have reordered them, by name. */
function pair(due: readonly DueCall[], made: readonly PastCall[]): [DueCall, PastCall][] {
  const left = [...made];
  return due.flatMap((expected): [DueCall, PastCall][] => {
    const at = left.findIndex((call) => toolOf(call) === expected.step.tool);
    const call = at < 0 ? undefined : left.splice(at, 1)[0];
    return call ? [[expected, call]] : [];
  });
}

function toolOf(call: PastCall): string {
  if (call.name !== 'project_cli') return call.name;
  const parsed = asRecord(parseJson(call.arguments));
  return `${parsed?.module}.${parsed?.method}`;
}

function inputOf(call: PastCall): Record<string, unknown> | undefined {
  const parsed = asRecord(parseJson(call.arguments));
  return call.name === 'project_cli' ? asRecord(parsed?.input) : parsed;
}

function outcomeOf(reply: ToolReply | undefined): Outcome {
  if (reply?.status === 'success' || reply?.status === 'partial') {
    return { state: 'done', partial: reply.status === 'partial', result: reply.result };
  }
  const error: StepError = reply?.error ?? { code: (reply?.status ?? 'missing').toUpperCase(), message: '' };
  return { state: wasRejected(error) ? 'rejected' : 'failed', error };
}

const wasRejected = ({ code, message }: StepError) =>
  /reject|denied|declined/i.test(code) ||
  /(?:user|approver).{0,20}(?:reject|declin|denied)|用户.{0,6}拒绝/i.test(message);
