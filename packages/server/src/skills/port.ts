import type { ProjectCliArgs, ToolOutput, UserAgentContext } from '@kith/protocol';
import type { z } from 'zod';
import type { Transaction } from '../db/index.ts';
import type { ModelCallRow } from '../models/index.ts';

/** What a skill may know and use while it works for its user. */
export interface SkillContext {
  userId: string;
  user: UserAgentContext;
  sessionId: string | null;
  runId: string | null;
  now: Date;
  timezone: string;
  /** BCP-47: the language of summaries and cards. */
  language: string;
  /** The effect goes through this transaction, which also records it: both, or neither. */
  sql: Transaction;
  idempotencyKey: string;
  signal: AbortSignal;
  /** Where in which thread this is: what is remembered says where it was heard. */
  turn?: { threadId: string; number: number };
  /** Takes the model calls that a skill made (the embedding of a query), to be booked with the effect. */
  book?(calls: readonly ModelCallRow[]): void;
}

/** What a call is made with. Only a method whose effect is `outside` can do without a transaction. */
export type CallContext = Omit<SkillContext, 'sql'> & { sql?: Transaction | undefined };

/**
 * `read`: changes nothing. `transactional`: changes only our own database, through `context.sql`: exactly once.
 * `outside`: changes something elsewhere (MCP, client tools); its intent is kept before, and a crash in between leaves `unknown`
 * unless it is `idempotent`.
 */
export type SkillEffect = 'read' | 'transactional' | 'outside';

interface MethodTraits<Input> {
  module: string;
  method: string;
  idempotent: boolean;
  /** Asks the user first, unless their `safety.approvals` says otherwise. */
  approval: boolean;
  input: z.ZodType<Input>;
}
export interface OwnMethod<Input = unknown> extends MethodTraits<Input> {
  effect: 'read' | 'transactional';
  run(input: Input, context: SkillContext): Promise<ToolOutput>;
}
export interface OutsideMethod<Input = unknown> extends MethodTraits<Input> {
  effect: 'outside';
  run(input: Input, context: CallContext): Promise<ToolOutput>;
}
export type SkillMethod<Input = unknown> = OwnMethod<Input> | OutsideMethod<Input>;

export interface SkillInfo {
  module: string;
  description: string;
  source: 'built-in' | 'folder' | 'mcp';
  methods: { method: string; name: { zh: string; en: string }; approval: boolean; effect: SkillEffect; card: string }[];
  /** Why it cannot be used now (a broken MCP server), if so. */
  error?: string;
}

export interface Skills {
  list(): SkillInfo[];
  find(module: string, method: string): SkillMethod | undefined;
  /** The cards of the enabled skills, as the planner reads them. `undefined`: all. */
  cards(enabled?: readonly string[]): string;
  /** Whether this call waits for the user's word, by the method's mark and the user's `safety.approvals`. */
  needsApproval(args: ProjectCliArgs, user: UserAgentContext): boolean;
  /** Checks the input and runs it. Bad input is a failed output that names the field, never an exception. */
  call(args: ProjectCliArgs, context: CallContext, enabled?: readonly string[]): Promise<ToolOutput>;
  close(): Promise<void>;
}
