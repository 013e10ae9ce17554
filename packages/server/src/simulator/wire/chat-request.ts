import { z } from 'zod';

/** What an OpenAI-compatible vendor accepts; fields that the simulator does not use are let through. */

const Part = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  cache_control: z.looseObject({ type: z.string() }).nullish(),
});
const Content = z.union([z.string(), z.array(Part)]).nullish();

export const WireToolCall = z.object({
  id: z.string(),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
});

export const WireMessage = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: Content,
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(WireToolCall).nullish(),
  tool_call_id: z.string().nullish(),
});
export type WireMessage = z.infer<typeof WireMessage>;

export const WireTool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: z.string(),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
  }),
});
export type WireTool = z.infer<typeof WireTool>;

export const ChatRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(WireMessage).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.int().positive().nullish(),
  tools: z.array(WireTool).nullish(),
  tool_choice: z.unknown().optional(),
  response_format: z
    .looseObject({
      type: z.enum(['text', 'json_object', 'json_schema']),
      json_schema: z.looseObject({ name: z.string(), schema: z.record(z.string(), z.unknown()).nullish() }).nullish(),
    })
    .nullish(),
  thinking: z.looseObject({ type: z.string() }).nullish(),
  enable_thinking: z.boolean().nullish(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

export function textOf(message: WireMessage): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

/** Thinking is asked for in the request, refused in the request, or a habit of the model. */
export function thinks(request: ChatRequest): boolean {
  if (request.thinking) return request.thinking.type !== 'disabled';
  if (request.enable_thinking !== null && request.enable_thinking !== undefined) return request.enable_thinking;
  return /reasoner|pro/i.test(request.model);
}
