import type { Usage } from '../usage.ts';
import { type ChatRequest, textOf } from './chat-request.ts';
import { argumentPieces, type Dialect, pieces, type Refusal, type Reply, wireToolCalls } from './dialect.ts';

interface Wording {
  code: string;
  message: string;
  type?: string;
}

/** 429s are told apart by their message only. */
const REASONS: Readonly<Record<NonNullable<Refusal['reason']>, Wording>> = {
  requests: { code: 'limit_requests', message: 'You exceeded your current requests list.', type: 'limit_requests' },
  tokens: {
    code: 'insufficient_quota',
    message: 'You exceeded your current quota, please check your plan and billing details.',
    type: 'insufficient_quota',
  },
  burst: { code: 'limit_burst_rate', message: 'Request rate increased too quickly.', type: 'limit_burst_rate' },
  arrearage: {
    code: 'Arrearage',
    message: 'Access denied, please make sure your account is in good standing.',
    type: 'Arrearage',
  },
  inspection: {
    code: 'data_inspection_failed',
    message: 'Input data may contain inappropriate content.',
    type: 'data_inspection_failed',
  },
};

const STATUSES: Readonly<Record<number, Wording>> = {
  400: { code: 'invalid_parameter_error', message: 'Invalid parameter.' },
  401: { code: 'invalid_api_key', message: 'Incorrect API key provided.' },
  402: REASONS.arrearage,
  403: { code: 'access_denied', message: 'Access denied.' },
  404: { code: 'model_not_found', message: 'The model or path does not exist.' },
  429: REASONS.requests,
  500: {
    code: 'internal_error',
    message: 'An internal error has occured, please try again later.',
    type: 'internal_error',
  },
  503: { code: 'service_unavailable', message: 'Service is temporarily unavailable.', type: 'service_unavailable' },
};

/** DashScope, OpenAI-compatible: usage comes in a last chunk without choices, and only if asked for. */
export const dashscope: Dialect = {
  name: 'dashscope',
  explicitCache: true,
  models: [
    ...['qwen-plus', 'qwen-max', 'qwen-flash', 'qwen3-max', 'qwen3.5-plus', 'qwen3.6-plus', 'qwen3.7-max'],
    ...['text-embedding-v4', 'qwen-image', 'wan2.5-t2v-preview'],
  ],
  completion(reply) {
    const calls = wireToolCalls(reply);
    const message = {
      role: 'assistant',
      content: reply.answer.text,
      ...(reply.answer.reasoning === undefined ? {} : { reasoning_content: reply.answer.reasoning }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return {
      choices: [{ message, finish_reason: reply.finishReason, index: 0, logprobs: null }],
      object: 'chat.completion',
      ...(reply.usage ? { usage: usage(reply.usage) } : {}),
      created: reply.created,
      system_fingerprint: null,
      model: reply.model,
      id: reply.id,
    };
  },
  chunks(reply, request) {
    const tail = {
      object: 'chat.completion.chunk',
      usage: null,
      created: reply.created,
      system_fingerprint: null,
      model: reply.model,
      id: reply.id,
    };
    const chunk = (delta: unknown, finishReason: string | null = null) => ({
      choices: [{ delta, finish_reason: finishReason, index: 0, logprobs: null }],
      ...tail,
    });
    const wanted = request.stream_options?.include_usage && reply.usage;
    return [
      ...deltasOf(reply).map((delta) => chunk(delta)),
      chunk({ content: '' }, reply.finishReason),
      ...(wanted ? [{ choices: [], ...tail, usage: usage(wanted) }] : []),
    ];
  },
  error(refusal) {
    const fallback: Wording = { code: 'internal_error', message: 'Unknown error' };
    const wording = (refusal.reason && REASONS[refusal.reason]) ?? STATUSES[refusal.status] ?? fallback;
    return {
      error: {
        message: refusal.message ?? wording.message,
        type: wording.type ?? 'invalid_request_error',
        param: null,
        code: wording.code,
      },
    };
  },
  refuse: (request) => jsonUnsaid(request),
};

/** `json_object` is refused where no message speaks of JSON. */
function jsonUnsaid(request: ChatRequest): Refusal | undefined {
  if (request.response_format?.type !== 'json_object') return undefined;
  if (request.messages.some((message) => /json/i.test(textOf(message)))) return undefined;
  return {
    status: 400,
    message: "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
  };
}

function deltasOf(reply: Reply): unknown[] {
  const { answer } = reply;
  return [
    { role: 'assistant', content: answer.reasoning === undefined ? '' : null },
    ...pieces(answer.reasoning ?? '').map((piece) => ({ content: null, reasoning_content: piece })),
    ...pieces(answer.text).map((piece) => ({ content: piece })),
    ...wireToolCalls(reply).flatMap((call) =>
      argumentPieces(call.function.arguments).map((piece, at) => ({
        content: null,
        tool_calls: [
          at === 0
            ? { ...call, function: { name: call.function.name, arguments: piece } }
            : { index: call.index, id: '', type: 'function', function: { arguments: piece } },
        ],
      })),
    ),
  ];
}

function usage(used: Usage) {
  const explicit =
    used.createdTokens === undefined
      ? {}
      : { cache_creation_input_tokens: used.createdTokens, cache_type: 'ephemeral' };
  return {
    prompt_tokens: used.promptTokens,
    completion_tokens: used.completionTokens,
    total_tokens: used.promptTokens + used.completionTokens,
    ...(used.reasoningTokens === undefined
      ? {}
      : { completion_tokens_details: { reasoning_tokens: used.reasoningTokens } }),
    prompt_tokens_details: { ...explicit, cached_tokens: used.cachedTokens },
  };
}
