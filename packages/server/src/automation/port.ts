import type {
  AutomationInput,
  Automation as AutomationJob,
  AutomationList,
  AutomationPatch,
  AutomationRun,
  AutomationRunPage,
  BusyPolicy,
  JsonObject,
  RunStatus,
} from '@kith/protocol';
import type { Transaction } from '../db/index.ts';

/** A run that is due, for whoever starts runs. */
export interface AutomationSubmission {
  userId: string;
  jobId: string;
  /** One thread per job; whoever submits makes the session, in `automation` mode, if it is not there. */
  threadId: string;
  /** Follows from the job and the due time: submitting twice is submitting once. */
  runId: string;
  prompt: string;
  enabledSkills?: string[] | undefined;
  context?: JsonObject | undefined;
  /** `reject` throws THREAD_BUSY. */
  policy: BusyPolicy;
  /** The run and the note that its due time is served are kept together, or neither. */
  sql: Transaction;
}
export type SubmitAutomation = (request: AutomationSubmission) => Promise<{ status: string }>;

export interface FinishedRun {
  threadId: string;
  runId: string;
  status: Extract<RunStatus, 'completed' | 'failed' | 'canceled'>;
  error?: string | undefined;
}

/** A job that has failed too often and waits for its user. */
export interface AutomationNotice {
  userId: string;
  jobId: string;
  threadId: string;
  name: string;
  failures: number;
  error: string;
}

/** Jobs that run by themselves. Every method but the scheduler's is about one user's jobs. */
export interface Automation {
  /** Looks for what is due, every `tickSeconds`, until stopped. */
  start(): void;
  stop(): Promise<void>;
  /** Looks once. Several schedulers may do so at the same time: a due time is served by one of them. */
  tick(): Promise<void>;
  /** Tells the job how its run ended. A call that gets lost is made up for by a later tick. */
  onRunFinished(run: FinishedRun): Promise<void>;

  create(userId: string, input: AutomationInput): Promise<AutomationJob>;
  get(userId: string, jobId: string): Promise<AutomationJob>;
  list(userId: string): Promise<AutomationList>;
  update(userId: string, jobId: string, patch: AutomationPatch): Promise<AutomationJob>;
  delete(userId: string, jobId: string): Promise<void>;
  pause(userId: string, jobId: string): Promise<AutomationJob>;
  resume(userId: string, jobId: string): Promise<AutomationJob>;
  /** Runs it at once, whatever its schedule and state; the overlap policy holds. */
  runNow(userId: string, jobId: string): Promise<AutomationRun>;
  runs(
    userId: string,
    jobId: string,
    page?: { before?: Date | undefined; limit?: number | undefined },
  ): Promise<AutomationRunPage>;
}
