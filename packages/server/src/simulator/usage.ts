import type { Answer } from './brain/answer.ts';
import type { PrefixCache } from './prefix-cache.ts';
import { countTokens } from './tokens.ts';
import { type ChatRequest, textOf, type WireMessage } from './wire/chat-request.ts';

/** What a call used, before a dialect puts it into its own fields. */
export interface Usage {
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
  /** Part of the completion; undefined where the model did not think. */
  reasoningTokens: number | undefined;
  /** Tokens written to an explicit cache; undefined where the request marked nothing. */
  createdTokens: number | undefined;
}

export function usageOf(
  request: ChatRequest,
  answer: Answer,
  cache: PrefixCache,
  { key, explicitCache }: { key: string; explicitCache: boolean },
): Usage {
  const scope = `${key} ${request.model}`;
  const prompt = serialisePrompt(request, request.messages);
  const { tokens, cached } = cache.read(scope, prompt);
  const reasoning = answer.reasoning === undefined ? undefined : countTokens(answer.reasoning);
  const calls = answer.toolCalls.reduce((sum, call) => sum + countTokens(call.name + call.arguments), 0);
  const usage: Usage = {
    promptTokens: tokens,
    cachedTokens: cached,
    completionTokens: (reasoning ?? 0) + countTokens(answer.text) + calls,
    reasoningTokens: reasoning,
    createdTokens: undefined,
  };
  const marked = explicitCache ? lastMarkedMessage(request.messages) : -1;
  if (marked < 0) return usage;
  // An explicit cache stands in place of the implicit one: the marked prefix is written once, then read.
  const prefix = serialisePrompt(request, request.messages.slice(0, marked + 1));
  const prefixTokens = Math.min(countTokens(prefix), tokens);
  const hit = cache.createOrHit(scope, prefix);
  return { ...usage, cachedTokens: hit ? prefixTokens : 0, createdTokens: hit ? 0 : prefixTokens };
}

/** Tools come first, as vendors place them: a conversation that grows keeps its prefix. */
function serialisePrompt(request: ChatRequest, messages: readonly WireMessage[]): string {
  const tools = request.tools?.length ? JSON.stringify(request.tools) : '';
  const schema = request.response_format?.json_schema?.schema;
  const head = tools + (schema ? JSON.stringify(schema) : '');
  return head + messages.map(serialiseMessage).join('');
}

function serialiseMessage(message: WireMessage): string {
  const calls = message.tool_calls?.length ? JSON.stringify(message.tool_calls.map((call) => call.function)) : '';
  return `\n<${message.role}>\n${message.reasoning_content ?? ''}${textOf(message)}${calls}`;
}

function lastMarkedMessage(messages: readonly WireMessage[]): number {
  return messages.findLastIndex(
    ({ content }) => Array.isArray(content) && content.some((part) => part.cache_control?.type === 'ephemeral'),
  );
}
