import { z } from 'zod';
import { Json, JsonObject } from './json.ts';
import { BusyPolicy } from './runs.ts';
import { ThreadId } from './sessions.ts';

/**
 * AG-UI's RunAgentInput as Kith reads it. Looser than the official schema where real clients are
 * (assistant-ui sends `state: null`), so both client generations pass; unknown fields are ignored.
 */
const ToolCall = z.object({
  id: z.string(),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});
const ContentPart = z.looseObject({ type: z.string(), text: z.string().optional(), id: z.string().optional() });
export const InputMessage = z.looseObject({
  id: z.string().min(1).max(200).optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer', 'tool', 'activity', 'reasoning']),
  content: z.union([z.string(), z.array(ContentPart), JsonObject]).nullish(),
  toolCallId: z.string().optional(),
  toolCalls: z.array(ToolCall).nullish(),
});
export type InputMessage = z.infer<typeof InputMessage>;

/** A tool that lives in the client: the model may call it, the client runs it. */
export const ClientTool = z.object({
  name: z.string().min(1).max(128),
  description: z.string().default(''),
  parameters: JsonObject.nullish(),
});
export type ClientTool = z.infer<typeof ClientTool>;

export const ResumeEntry = z.object({
  interruptId: z.string(),
  status: z.enum(['resolved', 'cancelled']),
  payload: Json.optional(),
});
export type ResumeEntry = z.infer<typeof ResumeEntry>;

/** What Kith reads of `forwardedProps`. Identity never comes from here. */
export const ForwardedProps = z.looseObject({
  policy: BusyPolicy.optional(),
  file_ids: z.array(z.string()).max(32).optional(),
});

export const RunAgentInput = z.object({
  threadId: ThreadId,
  runId: z.string().min(1).max(200),
  messages: z.array(InputMessage).max(10_000),
  protocolVersion: z.string().nullish(),
  parentRunId: z.string().nullish(),
  state: Json.nullish(),
  tools: z.array(ClientTool).max(128).nullish(),
  context: z
    .array(z.object({ description: z.string(), value: z.string() }))
    .max(128)
    .nullish(),
  forwardedProps: ForwardedProps.nullish(),
  resume: z.array(ResumeEntry).nullish(),
});
export type RunAgentInput = z.infer<typeof RunAgentInput>;
