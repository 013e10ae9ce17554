import { z } from 'zod';
import { Instant, Json, JsonObject } from './json.ts';
import { Action, Todo } from './runtime-state.ts';
import { UiBlock } from './ui-schema.ts';
import { UsageTotals } from './usage.ts';

export const RunStatus = z.enum(['queued', 'running', 'awaiting_approval', 'completed', 'failed', 'canceled']);
export type RunStatus = z.infer<typeof RunStatus>;

/** What a second request does while the thread is busy. */
export const BusyPolicy = z.enum(['enqueue', 'reject', 'interrupt']);
export type BusyPolicy = z.infer<typeof BusyPolicy>;

export const RunAccepted = z.object({ threadId: z.string(), runId: z.string(), status: RunStatus });
export type RunAccepted = z.infer<typeof RunAccepted>;

export const ToolCallStatus = z.enum([
  'started',
  'succeeded',
  'failed',
  'awaiting_approval',
  'approved',
  'rejected',
  'unknown',
]);
export type ToolCallStatus = z.infer<typeof ToolCallStatus>;

export const ToolCallDetail = z.object({
  tool_call_id: z.string(),
  tool_name: z.string(),
  args: JsonObject,
  status: ToolCallStatus,
  result: Json.nullable(),
  expires_at: Instant.nullable(),
  /** What it would do, for whoever is to approve it. */
  preview: z.array(UiBlock).optional(),
  started_at: Instant,
  finished_at: Instant.nullable(),
});
export type ToolCallDetail = z.infer<typeof ToolCallDetail>;

export const ModelCallDetail = z.object({
  id: z.string(),
  agent_type: z.string(),
  vendor: z.string().nullable(),
  model: z.string().nullable(),
  status: z.enum(['started', 'succeeded', 'failed', 'lost']),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  cached_tokens: z.int().nullable(),
  reasoning_tokens: z.int().nullable(),
  cost: z.string().nullable(),
  cost_source: z.string().nullable(),
  price_card: z.string().nullable(),
  latency_ms: z.int().nullable(),
  error: z.string().nullable(),
  started_at: Instant,
});
export type ModelCallDetail = z.infer<typeof ModelCallDetail>;

/** GET /runs/{thread_id}?runId= */
export const RunDetail = z.object({
  threadId: z.string(),
  runId: z.string(),
  /** Of its thread. */
  title: z.string().nullable(),
  /** What it was asked, cut short. */
  prompt: z.string(),
  status: RunStatus,
  turn: z.int(),
  attempt: z.int(),
  error_id: z.string().nullable(),
  error: z.string().nullable(),
  created_at: Instant,
  started_at: Instant.nullable(),
  finished_at: Instant.nullable(),
  actions: z.array(Action.extend({ at: Instant, duration_ms: z.int().nullable() })),
  todos: z.array(Todo),
  tool_calls: z.array(ToolCallDetail),
  model_calls: z.array(ModelCallDetail),
  usage: UsageTotals,
});
export type RunDetail = z.infer<typeof RunDetail>;

export const RunSummary = z.object({
  threadId: z.string(),
  runId: z.string(),
  title: z.string().nullable(),
  /** What it was asked, cut short. */
  prompt: z.string(),
  status: RunStatus,
  /** In CNY; null where a call has no price. */
  cost: z.string().nullable(),
  created_at: Instant,
  started_at: Instant.nullable(),
  finished_at: Instant.nullable(),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** GET /runs: the latest first; `next_before` is the cursor to earlier ones. */
export const RunPage = z.object({ runs: z.array(RunSummary), next_before: z.string().nullable() });
export type RunPage = z.infer<typeof RunPage>;
