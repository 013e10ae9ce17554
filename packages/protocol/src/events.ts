import { z } from 'zod';
import { Json, JsonObject } from './json.ts';
import { SuggestedAction } from './stages.ts';
import { ToolError, ToolStatus } from './tools.ts';
import { UiBlock, UiSchema } from './ui-schema.ts';
import { WireUsage } from './usage.ts';

/**
 * The events of a run as the log keeps them: all fields at the top level, and at the same time
 * valid AG-UI (`delta`, `content`, `toolCallId`). The codec makes the two dialects out of this one form.
 */
const stage = z.enum(['router', 'worker', 'memory']);
const run = { threadId: z.string(), runId: z.string() };
const tool = { messageId: z.string(), toolCallId: z.string(), toolCallName: z.string(), stage };

/** What somebody who is asked to approve a call is told of it. */
const AskedCall = z.object({
  tool_name: z.string().optional(),
  tool_call_args: JsonObject.optional(),
  /** What it would do, as a card shows it. */
  preview: z.array(UiBlock).optional(),
});

export const Interrupt = z.object({
  id: z.string(),
  reason: z.string(),
  message: z.string().optional(),
  toolCallId: z.string().optional(),
  responseSchema: JsonObject.optional(),
  expiresAt: z.string().optional(),
  metadata: AskedCall.optional(),
});
export type Interrupt = z.infer<typeof Interrupt>;

export const RunOutcome = z.discriminatedUnion('type', [
  z.object({ type: z.literal('success'), pendingToolCallIds: z.array(z.string()).optional() }),
  z.object({ type: z.literal('interrupt'), interrupts: z.array(Interrupt).min(1) }),
  z.object({ type: z.literal('cancelled') }),
]);
export type RunOutcome = z.infer<typeof RunOutcome>;

/** AG-UI's usage entry of RUN_FINISHED, without the model's name (an internal figure). */
const RunUsage = z.object({
  totalTokens: z.int().optional(),
  cachedInputTokens: z.int().optional(),
  reasoningTokens: z.int().optional(),
});

export const KithEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('RUN_STARTED'), ...run }),
  z.object({
    type: z.literal('RUN_FINISHED'),
    ...run,
    outcome: RunOutcome.optional(),
    usage: z.array(RunUsage).optional(),
  }),
  z.object({
    type: z.literal('RUN_ERROR'),
    ...run,
    message: z.string(),
    code: z.string().optional(),
    error_id: z.string().optional(),
  }),
  z.object({ type: z.literal('STEP_STARTED'), ...run, stepName: stage }),
  z.object({ type: z.literal('STEP_FINISHED'), ...run, stepName: stage }),
  z.object({
    type: z.literal('TEXT_MESSAGE_START'),
    ...run,
    messageId: z.string(),
    role: z.literal('assistant'),
    stage,
  }),
  z.object({ type: z.literal('TEXT_MESSAGE_CONTENT'), ...run, messageId: z.string(), delta: z.string().min(1) }),
  z.object({
    type: z.literal('TEXT_MESSAGE_END'),
    ...run,
    messageId: z.string(),
    role: z.literal('assistant'),
    stage,
    status: z.enum(['success', 'partial_success', 'failed']),
    answer: z.string(),
    suggested_actions: z.array(SuggestedAction),
    error: z.string().optional(),
    ...WireUsage.shape,
  }),
  z.object({ type: z.literal('REASONING_START'), ...run, messageId: z.string() }),
  z.object({ type: z.literal('REASONING_MESSAGE_START'), ...run, messageId: z.string(), role: z.literal('reasoning') }),
  z.object({ type: z.literal('REASONING_MESSAGE_CONTENT'), ...run, messageId: z.string(), delta: z.string().min(1) }),
  z.object({ type: z.literal('REASONING_MESSAGE_END'), ...run, messageId: z.string() }),
  z.object({ type: z.literal('REASONING_END'), ...run, messageId: z.string() }),
  z.object({ type: z.literal('TOOL_CALL_START'), ...run, ...tool, parentMessageId: z.string().optional() }),
  z.object({ type: z.literal('TOOL_CALL_ARGS'), ...run, ...tool, args: JsonObject, delta: z.string() }),
  z.object({ type: z.literal('TOOL_CALL_END'), ...run, ...tool }),
  z.object({
    type: z.literal('TOOL_CALL_RESULT'),
    ...run,
    messageId: z.string(),
    toolCallId: z.string(),
    role: z.literal('tool'),
    /** The result as the model reads it: JSON text. */
    content: z.string(),
    stage,
    tool_name: z.string(),
    tool_call_id: z.string(),
    tool_call_args: JsonObject,
    status: ToolStatus,
    result: z.union([JsonObject, z.array(Json)]),
    error: ToolError.optional(),
    ui_schema: UiSchema.optional(),
  }),
  z.object({
    type: z.literal('ACTIVITY_SNAPSHOT'),
    ...run,
    messageId: z.string(),
    activityType: z.string(),
    content: JsonObject,
    replace: z.boolean().optional(),
  }),
  z.object({ type: z.literal('STATE_SNAPSHOT'), ...run, snapshot: Json }),
  z.object({ type: z.literal('MESSAGES_SNAPSHOT'), ...run, messages: z.array(JsonObject) }),
]);
export type KithEvent = z.infer<typeof KithEvent>;
export type KithEventType = KithEvent['type'];

/** An event in the log: its place in the thread. The SSE id is `<seq>-0`. */
export interface LoggedEvent {
  seq: number;
  runId: string;
  event: KithEvent;
}

export const TERMINAL_EVENTS: ReadonlySet<KithEventType> = new Set(['RUN_FINISHED', 'RUN_ERROR']);
