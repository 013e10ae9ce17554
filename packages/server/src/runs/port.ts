import type {
  BusyPolicy,
  Decision,
  RunAccepted,
  RunAgentInput,
  RunDetail,
  RunSummary,
  RuntimeMode,
  UserAgentContext,
} from '@kith/protocol';
import type { Transaction } from '../db/index.ts';

/** A request for an answer, whichever way it came in. */
export interface SubmitRequest {
  userId: string;
  /** AG-UI's request; the other ways in are turned into one. */
  input: RunAgentInput;
  policy?: BusyPolicy | undefined;
  mode?: RuntimeMode;
  /** Automation jobs bring their own. */
  enabledSkills?: string[] | undefined;
  contextMessages?: number | undefined;
  /** The request's `user_context`, already merged over the caller's profile. */
  userContext?: UserAgentContext | undefined;
  /** Joins the caller's transaction: an automation's due time and its run are one. */
  transaction?: Transaction;
}

export interface Submitted extends RunAccepted {
  sessionId: string;
  /** The thread's last event before this run's first: a stream of the run starts after it. */
  after: number;
  /** The same runId was submitted before: this is that run. */
  repeated: boolean;
}

/** The life of runs, as the outside meets it. */
export interface Runs {
  submit(request: SubmitRequest): Promise<Submitted>;
  /** Cancels one run, or whatever is under way or queued on the thread. Harmless when there is nothing. */
  cancel(userId: string, threadId: string, runId?: string): Promise<RunAccepted>;
  /** A person's word on a call that waits. The run goes on when nothing of it waits any more. */
  decide(userId: string, threadId: string, toolCallId: string, decision: Decision): Promise<RunAccepted>;
  detail(userId: string, threadId: string, runId: string): Promise<RunDetail>;
  list(
    userId: string,
    query: { limit: number; before?: string | undefined; status?: string | undefined; threadId?: string | undefined },
  ): Promise<RunSummary[]>;
}
