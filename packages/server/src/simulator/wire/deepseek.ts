import type { Usage } from '../usage.ts';
import { type ChatRequest, thinks } from './chat-request.ts';
import { argumentPieces, type Dialect, pieces, type Reply, wireToolCalls } from './dialect.ts';

const FINGERPRINT = 'fp_simulator';

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Authentication Fails, Your api key is invalid',
  402: 'Insufficient Balance',
  404: 'Not Found',
  422: 'Invalid parameters',
  429: 'Rate limit reached',
  500: 'Internal server error',
  503: 'Service is too busy. We advise users to temporarily switch to alternative LLM API service providers.',
};

/** DeepSeek: usage rides on the last choice chunk, cache hits and misses are told apart. */
export const deepseek: Dialect = {
  name: 'deepseek',
  explicitCache: false,
  models: ['deepseek-flash', 'deepseek-v4-flash', 'deepseek-v4-pro', 'deepseek-chat', 'deepseek-reasoner'],
  completion(reply) {
    const calls = wireToolCalls(reply);
    const message = {
      role: 'assistant',
      content: reply.answer.text,
      ...(reply.answer.reasoning === undefined ? {} : { reasoning_content: reply.answer.reasoning }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return {
      ...head(reply, 'chat.completion'),
      choices: [{ index: 0, message, logprobs: null, finish_reason: reply.finishReason }],
      ...(reply.usage ? { usage: usage(reply.usage) } : {}),
      system_fingerprint: FINGERPRINT,
    };
  },
  chunks(reply) {
    const deltas = deltasOf(reply);
    const chunk = (delta: unknown, finishReason: string | null = null) => ({
      ...head(reply, 'chat.completion.chunk'),
      system_fingerprint: FINGERPRINT,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    });
    const last = {
      ...chunk({ content: '' }, reply.finishReason),
      ...(reply.usage ? { usage: usage(reply.usage) } : {}),
    };
    return [...deltas.map((delta) => chunk(delta)), last];
  },
  error({ status, message }) {
    const code = 'invalid_request_error';
    const type = status === 401 ? 'authentication_error' : status === 400 ? code : 'unknown_error';
    return { error: { message: message ?? MESSAGES[status] ?? 'Unknown error', type, param: null, code } };
  },
  refuse: (request) => withoutReasoning(request),
};

/** In thinking mode with tools, reasoning that is not sent back makes the conversation invalid. */
function withoutReasoning(request: ChatRequest) {
  if (!request.tools?.length || !thinks(request)) return undefined;
  const at = request.messages.findIndex(
    (message) =>
      message.role === 'assistant' && message.tool_calls?.length && typeof message.reasoning_content !== 'string',
  );
  return at < 0
    ? undefined
    : { status: 400, message: `Missing \`reasoning_content\` field in the assistant message at message index ${at}` };
}

const head = (reply: Reply, object: string) => ({ id: reply.id, object, created: reply.created, model: reply.model });

function deltasOf(reply: Reply): unknown[] {
  const { answer } = reply;
  const thinking = answer.reasoning !== undefined;
  return [
    { role: 'assistant', content: thinking ? null : '', ...(thinking ? { reasoning_content: '' } : {}) },
    ...pieces(answer.reasoning ?? '').map((piece) => ({ content: null, reasoning_content: piece })),
    ...pieces(answer.text).map((piece) => ({ content: piece, ...(thinking ? { reasoning_content: null } : {}) })),
    ...wireToolCalls(reply).flatMap((call) => [
      { tool_calls: [{ ...call, function: { name: call.function.name, arguments: '' } }] },
      ...argumentPieces(call.function.arguments).map((piece) => ({
        tool_calls: [{ index: call.index, function: { arguments: piece } }],
      })),
    ]),
  ];
}

function usage(used: Usage) {
  return {
    prompt_tokens: used.promptTokens,
    completion_tokens: used.completionTokens,
    total_tokens: used.promptTokens + used.completionTokens,
    prompt_tokens_details: { cached_tokens: used.cachedTokens },
    ...(used.reasoningTokens === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: used.reasoningTokens } }),
    prompt_cache_hit_tokens: used.cachedTokens,
    prompt_cache_miss_tokens: used.promptTokens - used.cachedTokens,
  };
}
