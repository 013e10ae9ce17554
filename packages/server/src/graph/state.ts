import {
  type Action,
  type ActionContext,
  type AgentType,
  type ChatHistoryEntry,
  type ClientTool,
  ExecutionResult,
  IntentResult,
  type Json,
  JsonObject,
  type OriginFile,
  type OutputStructureEntry,
  type PreprocessedFiles,
  type RecalledMemory,
  type RuntimeMode,
  type Todo,
  type TokenUsage,
  ToolOutput,
  type UserAgentContext,
} from '@kith/protocol';
import { z } from 'zod';
import type { ModelCallRow } from '../models/index.ts';

/** What a run was asked: the part of the request that a restart must find again. */
export interface RunInput {
  prompt: string;
  mode: RuntimeMode;
  fileIds: string[];
  clientTools: ClientTool[];
  /** Facts the client gave along (AG-UI `context`), as data. */
  clientContext: { description: string; value: string }[];
  /** Automation jobs bring their own. */
  enabledSkills?: string[] | undefined;
  contextMessages?: number | undefined;
  /** The `user_context` of a chat request, already merged over the profile. */
  userContext?: UserAgentContext | undefined;
  /** Clients of AG-UI 1.0 understand more outcomes than older ones. */
  protocolVersion?: string | undefined;
}

/** Whose run this is, and the token that fences it. */
export interface RunIdentity {
  rowId: string;
  runId: string;
  attempt: number;
  turn: number;
  sessionId: string;
  threadId: string;
  userId: string;
  startedAt: Date;
}

/**
 * The RuntimeState as a run holds it: the turn under way, and of earlier turns only what is inherited. The whole
 * document is put together from the rows when somebody asks for it, so a run's cost does not grow with its thread.
 */
export interface RunState {
  readonly identity: RunIdentity;
  readonly input: RunInput;
  user_context: UserAgentContext;
  memory: RecalledMemory[];
  output_style: string;
  output_structure: OutputStructureEntry[];
  scenario: string;
  task_goal: string;
  origin_files: OriginFile[];
  preprocessed_files: PreprocessedFiles;
  todos: Todo[];
  actions: Action[];
  chat_history: ChatHistoryEntry[];
  usage: TokenUsage;
  /** The last action id of the session. */
  actionHead: number;
  /** Hints from the claim, which save a query where there is nothing to find. */
  readonly hasMemories: boolean;
  /** Whether the claim has recalled memories already, in its own transaction. */
  readonly recalled: boolean;
  readonly hasFiles: boolean;
  /** A call whose intent the last checkpoint has made durable. */
  announcedCall: { id: string; agentType: AgentType } | undefined;
  /** Calls of this run so far, and what they cost (1e-12 CNY). */
  bookings: ModelCallRow[];
  cost: bigint;
  /** Whether another run waits on the thread: known from the last checkpoint. */
  moreWaiting: boolean;
}

/** A call that the planner wants made, kept in its action so that a restart finds it. */
export const PlannedCall = z.object({
  tool_call_id: z.string(),
  /** `calendar.read`, or a client tool's own name. */
  tool_name: z.string(),
  kind: z.enum(['skill', 'client', 'plan', 'invalid']),
  args: JsonObject,
  todo_id: z.string().optional(),
  error: z.string().optional(),
});
export type PlannedCall = z.infer<typeof PlannedCall>;

/** The result of a planner's action. */
export const PlannerResult = z.object({
  text: z.string(),
  reasoning: z.string(),
  tool_calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  planned: z.array(PlannedCall),
  execution: ExecutionResult.optional(),
  output: z.string().optional(),
});
export type PlannerResult = z.infer<typeof PlannerResult>;

/** The result of a tool's action. */
export const ToolActionResult = ToolOutput.extend({ tool_call_id: z.string(), tool_name: z.string() });
export type ToolActionResult = z.infer<typeof ToolActionResult>;

export type NewAction = Pick<Action, 'node' | 'summary' | 'next'> &
  Partial<Pick<Action, 'preparation' | 'result' | 'relevance' | 'usage'>> & { context?: ActionContext };

const nothing: TokenUsage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };

export function append(state: RunState, action: NewAction): Action {
  const { context, ...rest } = action;
  const whole: Action = {
    id: ++state.actionHead,
    preparation: '',
    result: {},
    relevance: 0,
    usage: nothing,
    ...rest,
    ...(context ? { context } : {}),
  };
  state.actions.push(whole);
  state.usage = addUsage(state.usage, whole.usage);
  return whole;
}

/** Where the run goes: the last action says. A new turn begins at the beginning. */
export const nextOf = (state: RunState): readonly string[] => state.actions.at(-1)?.next ?? ['user_context'];

export const addUsage = (one: TokenUsage, other: TokenUsage): TokenUsage => ({
  prompt_tokens: one.prompt_tokens + other.prompt_tokens,
  completion_tokens: one.completion_tokens + other.completion_tokens,
  total_tokens: one.total_tokens + other.total_tokens,
});

/** What the actions of a node left behind, read back by its schema: a restart gets them from the database. */
export function resultsOf<Result>(node: string, schema: z.ZodType<Result>) {
  // A result is asked for at every later step, and never changes.
  const read = new WeakMap<Action, Result>();
  const resultOf = (action: Action): Result => {
    const known = read.get(action);
    if (known !== undefined) return known;
    const result = schema.parse(action.result);
    read.set(action, result);
    return result;
  };
  return (state: RunState): { action: Action; result: Result }[] =>
    state.actions.filter((action) => action.node === node).map((action) => ({ action, result: resultOf(action) }));
}

const intentsOf = resultsOf('router', IntentResult);
export const intentOf = (state: RunState) => intentsOf(state).at(-1)?.result;
export const plansOf = resultsOf('planner', PlannerResult);
export const executionOf = (state: RunState) => plansOf(state).at(-1)?.result;
export const toolResultsOf = resultsOf('tool', ToolActionResult);

/** Calls of the last plan that have no result yet. */
export function outstandingCalls(state: RunState): PlannedCall[] {
  const planned = plansOf(state).at(-1)?.result.planned ?? [];
  const answered = new Set(toolResultsOf(state).map(({ result }) => result.tool_call_id));
  return planned.filter((call) => !answered.has(call.tool_call_id));
}

/** JSON in, JSON out: what an action keeps must survive the database unchanged. */
export const asJson = (value: object): Json => JSON.parse(JSON.stringify(value));
