import type { Reading } from '../language/reading.ts';
import { type Contact, pickContact } from './results.ts';

/** How a step ended. */
export type Outcome =
  | { state: 'done'; partial: boolean; result: unknown }
  | { state: 'failed' | 'rejected'; error: StepError }
  /** Never tried: `reason` is told to the user, unless an earlier step's failure says it already. */
  | { state: 'blocked'; reason?: string }
  | { state: 'skipped' };
export interface StepError {
  code: string;
  message: string;
  field?: string | null;
}
export type Outcomes = ReadonlyMap<string, Outcome>;

/** What a step is called with, or why it cannot (empty: something else says why) or need not be. `about` tells the answer what the ids mean. */
export type Prepared =
  | { input: Record<string, unknown>; about?: Record<string, unknown> }
  | { obstacle: string }
  | { skip: true };

/** One call of a tool in a plan. */
export interface Step {
  id: string;
  /** `calendar.read`, or the name of a client's tool. */
  tool: string;
  client?: boolean;
  task: string;
  after: readonly string[];
  /** Goes on even if what it waits for failed. */
  tolerant?: boolean;
  /** May turn out to be needless, and is therefore no todo of the plan. */
  conditional?: boolean;
  /** The answer tells of this step; others only prepare. */
  shown?: boolean;
  prepare(outcomes: Outcomes): Prepared;
}

/** An event that some step will find. */
export interface EventSource {
  after: readonly string[];
  find(outcomes: Outcomes): FoundEvent | { obstacle: string };
}
export interface FoundEvent {
  event_id: string;
  title: string;
  start?: string;
  end?: string;
  all_day?: boolean;
  /** The event is an occurrence, and those after it are meant as well. */
  following?: { series_id: string };
}

/** A plan being made, clause by clause. */
export interface Draft {
  reading: Reading;
  steps: Step[];
  /** The event that the clause before was about: what `it` and 通知他 refer to. */
  event: EventSource | undefined;
  add(step: Omit<Step, 'id'>): string;
  /** Looks a person up, once however often they are named. */
  lookUp(name: string): string;
  /** The user asked for this step's result itself. */
  show(step: string): void;
}

export function draftPlan(reading: Reading): Draft {
  const lookedUp = new Map<string, string>();
  const draft: Draft = {
    reading,
    steps: [],
    event: undefined,
    add(step) {
      const id = String(draft.steps.length + 1);
      draft.steps.push({ ...step, id });
      return id;
    },
    lookUp(name) {
      const known = lookedUp.get(name);
      if (known) return known;
      const id = draft.add({
        tool: 'contacts.read',
        task: reading.say(`查找联系人 ${name}`, `Look up ${name} in the contacts`),
        after: [],
        prepare: () => ({ input: { query: name } }),
      });
      lookedUp.set(name, id);
      return id;
    },
    show(id) {
      draft.steps = draft.steps.map((step) => (step.id === id ? { ...step, shown: true } : step));
    },
  };
  return draft;
}

export function resultOf(outcomes: Outcomes, step: string): unknown {
  const outcome = outcomes.get(step);
  return outcome?.state === 'done' ? outcome.result : undefined;
}

/** The contact that a look-up found for this name, if it is clear which. */
export function contactOf(outcomes: Outcomes, step: string, name: string): Contact | undefined {
  return pickContact(resultOf(outcomes, step), name);
}
