import type { AgentType, JsonObject, KithEvent } from '@kith/protocol';
import type { AgentTemplates } from '../agents/index.ts';
import type { Transaction } from '../db/index.ts';
import type { Files } from '../files/index.ts';
import type { Memory } from '../memory/index.ts';
import type { ModelCall, ModelCallRow, ModelMessage, Models } from '../models/index.ts';
import type { Log } from '../observability/index.ts';
import type { Skills } from '../skills/index.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Draft } from './draft.ts';
import type { RunState } from './state.ts';
import type { RunStream } from './stream.ts';

/** What nodes work with. The rooms are shared by all runs; the rest belongs to this one. */
export interface GraphRooms {
  models: Models;
  skills: Skills;
  memory: Memory;
  files: Files;
  templates: AgentTemplates;
  limits: RunLimits;
  approvalExpirySeconds: number;
  memoryLearning: boolean;
  memoryEnabled: boolean;
  worthLearning: (prompt: string) => boolean;
  now: () => Date;
  newId: () => string;
}

export interface RunLimits {
  steps: number;
  tokens: number;
  /** Integer of 1e-12 CNY. */
  cost: bigint;
  wallTimeMs: number;
}

export interface RunServices extends GraphRooms {
  draft: Draft;
  /** Tells readers now, ahead of the next checkpoint. */
  say(event: KithEvent): void;
  stream: RunStream;
  /** Books calls in the ledger and on the run's own account. */
  book(bookings: readonly ModelCallRow[]): void;
  checkpoint: Checkpoint;
  /** Does work in a transaction that is never committed. */
  tryOut<Result>(work: (sql: Transaction) => Promise<Result>): Promise<Result>;
  /** Makes the intent of an additional call (a repair) durable. */
  announceRepair(callId: string, agentType: AgentType): Promise<void>;
  /** The usage of the run's calls so far, for the message that carries them. */
  usageSummary(): JsonObject;
  /** Tool calls whose START, ARGS and END are out, also by an attempt before this one. */
  announcedTools: Set<string>;
  /** Whether an attempt before this one began this outside call and left no result. */
  startedBefore(toolCallId: string): boolean;
  /** Since this attempt began. */
  elapsedMs(): number;
  signal: AbortSignal;
  log: Log;
}

/** Takes the state and the services, changes the state, appends one action, and hands nothing back. */
export type Node = (state: RunState, services: RunServices, argument?: string) => Promise<void>;
export type NodeTable = Readonly<Record<string, Node>>;

/** The id for the next call: the announced one, or a new one whose intent is made durable first. */
export async function claimCallId(state: RunState, services: RunServices, agentType: AgentType): Promise<string> {
  if (state.announcedCall?.agentType !== agentType) await services.checkpoint({ announce: agentType });
  const id = state.announcedCall?.id ?? services.newId();
  state.announcedCall = undefined;
  return id;
}

/** The part of a model call that is the same for every stage of a run. */
export async function stageCall(
  state: RunState,
  services: RunServices,
  agentType: AgentType,
  messages: ModelMessage[],
): Promise<ModelCall> {
  return {
    callId: await claimCallId(state, services, agentType),
    agentType,
    modelId: modelFor(services.models, agentType),
    messages,
    signal: services.signal,
    userId: state.identity.userId,
    sessionId: state.identity.sessionId,
    runId: state.identity.runId,
  };
}

/** Learning has no model of its own unless one is configured. */
function modelFor(models: Models, agentType: AgentType): string {
  const model = models.modelFor(agentType) ?? models.modelFor('INTENT_RECOGNITION');
  if (!model) throw new Error(`no model for ${agentType}`);
  return model;
}

/** Tokens of calls as an action counts them. */
export function usageOf(bookings: readonly ModelCallRow[]) {
  const prompt = bookings.reduce((sum, call) => sum + (call.input_tokens ?? 0), 0);
  const completion = bookings.reduce((sum, call) => sum + (call.output_tokens ?? 0), 0);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
