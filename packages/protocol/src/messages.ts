import { z } from 'zod';
import { Instant, Json, JsonObject } from './json.ts';
import { ExecutionResult, IntentResult, SuggestedAction } from './stages.ts';
import { ToolError, ToolStatus } from './tools.ts';
import { UiSchema } from './ui-schema.ts';
import { CostSource } from './usage.ts';

export const MessageRole = z.enum(['user', 'assistant', 'system', 'tool']);
export type MessageRole = z.infer<typeof MessageRole>;

/** Who may see a message: bit 0 `/history`, bit 1 the context of later runs. */
export const UI_HISTORY = 1;
export const CONTEXT_ASSEMBLY = 2;

export const RuntimeMode = z.enum(['chat', 'automation']);
export type RuntimeMode = z.infer<typeof RuntimeMode>;

const stage = z.enum(['router', 'worker', 'memory']);
export type WireStage = z.infer<typeof stage>;

/** What a message carries beside its text; checked where it is written. */
export const MessageMetadata = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('user_input'),
    /** The id the client gave it: a resent transcript is recognised by it. */
    client_message_id: z.string().optional(),
    file_ids: z.array(z.string()).optional(),
  }),
  z.object({
    type: z.literal('tool_call'),
    stage: stage.default('worker'),
    tool_call_id: z.string(),
    tool_name: z.string(),
    tool_call_args: JsonObject,
  }),
  z.object({
    type: z.literal('tool_result'),
    stage: stage.default('worker'),
    tool_call_id: z.string(),
    tool_name: z.string(),
    tool_call_args: JsonObject.optional(),
    status: ToolStatus,
    result: z.union([JsonObject, z.array(Json)]),
    error: ToolError.nullish(),
    ui_schema: UiSchema.optional(),
  }),
  z.object({
    type: z.literal('assistant_output'),
    stage,
    status: z.enum(['success', 'partial_success', 'failed']).optional(),
    suggested_actions: z.array(SuggestedAction).optional(),
    cost_source: CostSource.optional(),
    usage: JsonObject.optional(),
    error_id: z.string().optional(),
    /** Audit rows (seq < 0) keep the stage's raw result. */
    intent: IntentResult.optional(),
    execution: ExecutionResult.optional(),
    /** What the memory step learned. */
    memory_ids: z.array(z.string()).optional(),
  }),
]);
export type MessageMetadata = z.infer<typeof MessageMetadata>;

export const HistoryMessage = z.object({
  id: z.string(),
  seq: z.int(),
  run_id: z.string().nullable(),
  role: MessageRole,
  content: z.string(),
  metadata: MessageMetadata,
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  /** Exact decimal string of CNY; null where unknown. */
  cost: z.string().nullable(),
  currency: z.string(),
  created_at: Instant,
});
export type HistoryMessage = z.infer<typeof HistoryMessage>;

/** GET /history: newest page first, ascending inside; `next_before` is the cursor to older ones. */
export const HistoryPage = z.object({
  threadId: z.string(),
  messages: z.array(HistoryMessage),
  next_before: z.int().nullable(),
});
export type HistoryPage = z.infer<typeof HistoryPage>;
