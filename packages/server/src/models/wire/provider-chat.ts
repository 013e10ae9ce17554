import type { IncomingMessage } from 'node:http';
import { createAlibaba } from '@ai-sdk/alibaba';
import { createDeepSeek } from '@ai-sdk/deepseek';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { APICallError } from '@ai-sdk/provider';
import type { JsonObject } from '@kith/protocol';
import { isJsonObject } from '../json.ts';
import { compilePreset } from '../parsers/compile.ts';
import { CallFailure } from './call-failure.ts';
import type { Attempt, ChatAnswer, ChatRequest } from './chat.ts';
import { chatChunkReader } from './chat-chunks.ts';
import { readEvents } from './event-stream.ts';
import { providerPrompt, providerTools } from './provider-prompt.ts';
import { chatAnswer } from './templated.ts';
import { headerOf, readBody, readErrorBody, type Transport } from './transport.ts';
import { failureOfResponse } from './vendor-errors.ts';

const openAiChat = compilePreset('openai-chat');

export type ProviderAdapter = 'deepseek' | 'alibaba' | 'openai-compatible';

export type ProviderChat = (adapter: ProviderAdapter, request: ChatRequest, attempt: Attempt) => Promise<ChatAnswer>;

/**
 * Chat through the AI SDK's providers: they know how each vendor wants its requests. Answers come by `doGenerate`;
 * of a stream the provider only makes the request, and we read the body: its own reading validates and transforms every
 * chunk, which costs four times the CPU of a plain read, and it loses error chunks on the way.
 */
export function createProviderChat(transport: Transport): ProviderChat {
  const exchanges = new WeakMap<AbortSignal, Exchange>();
  const fetch = providerFetch(transport, exchanges);
  const models = new Map<string, LanguageModelV4>();
  const modelAt = (adapter: ProviderAdapter, baseUrl: string, name: string) => {
    const id = `${adapter} ${baseUrl} ${name}`;
    const known = models.get(id);
    if (known) return known;
    const made = makeModel(adapter, baseUrl, name, fetch);
    models.set(id, made);
    return made;
  };

  return async (adapter, request, attempt) => {
    const { signal } = attempt;
    const exchange: Exchange = {
      secret: attempt.secret,
      streams: attempt.onToken !== undefined,
      extra: extraBody(request),
    };
    exchanges.set(signal, exchange);
    const model = modelAt(adapter, attempt.baseUrl, request.model);
    const options = callOptions(adapter, request, attempt);
    if (!attempt.onToken) return model.doGenerate(options).then(answerOf, readAnyway);
    const reader = chatChunkReader(attempt.onToken);
    const body = await handedOver(model.doStream(options));
    await readEvents(body, signal, reader.push);
    return reader.finish();
  };
}

/** What passes between one attempt and the transport beneath its provider; found by the attempt's signal. */
interface Exchange {
  /** The providers know none: a key never lies around in one. */
  secret: string | undefined;
  streams: boolean;
  /** JSON text of fields that go into the body besides the provider's own. */
  extra: string;
}

/** Thrown, though it is no error: the only way to leave a provider before it reads the body of a stream itself. */
class HandedOver {
  readonly body: IncomingMessage;
  constructor(body: IncomingMessage) {
    this.body = body;
  }
}

async function handedOver(streaming: PromiseLike<unknown>): Promise<IncomingMessage> {
  try {
    await streaming;
  } catch (error) {
    if (error instanceof HandedOver) return error.body;
    unwrap(error);
  }
  throw new CallFailure('unreadable', 'the provider ended a stream that it should not have read');
}

/** `fetch` as the providers use it: a URL as text, headers as an object, a JSON body as text, and always a signal. */
function providerFetch(transport: Transport, exchanges: WeakMap<AbortSignal, Exchange>): typeof globalThis.fetch {
  return async (url, init) => {
    const signal = init?.signal;
    const exchange = signal && exchanges.get(signal);
    if (!exchange || typeof url !== 'string' || typeof init?.body !== 'string') {
      throw new CallFailure('refused', 'a request that the tracked call did not make');
    }
    const body = exchange.extra === '' ? init.body : `{${exchange.extra},${init.body.slice(1)}`;
    const headers = { ...plainHeaders(init.headers), authorization: `Bearer ${exchange.secret}` };
    if (exchange.secret === undefined) Reflect.deleteProperty(headers, 'authorization');
    const response = await transport.send({ method: 'POST', url, headers, body, signal });
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) {
      throw failureOfResponse(status, headerOf(response.headers), await readErrorBody(response));
    }
    if (exchange.streams) throw new HandedOver(response);
    return new Response((await readBody(response, signal)).toString('utf8'), { status });
  };
}

/** The providers hand them over as a plain object already. */
function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  if (headers === undefined || headers instanceof Headers || Array.isArray(headers)) {
    return Object.fromEntries(new Headers(headers));
  }
  return headers;
}

function makeModel(adapter: ProviderAdapter, baseURL: string, name: string, fetch: typeof globalThis.fetch) {
  // The transport puts in the key of the attempt; a provider insists on having one of its own.
  const options = { baseURL, fetch, apiKey: 'given-per-attempt' };
  if (adapter === 'deepseek') return createDeepSeek(options).chat(name);
  if (adapter === 'alibaba') return createAlibaba({ ...options, includeUsage: true }).chatModel(name);
  return createOpenAICompatible({ ...options, name: 'compatible', includeUsage: true }).chatModel(name);
}

/** Without `reasoning`, whose levels differ between the providers' versions: thinking is switched by their own options. */
type CallOptions = Omit<LanguageModelV4CallOptions, 'reasoning'>;

function callOptions(adapter: ProviderAdapter, request: ChatRequest, attempt: Attempt): CallOptions {
  const { thinking, tools } = request;
  return {
    prompt: providerPrompt(request.messages),
    abortSignal: attempt.signal,
    ...(tools && tools.length > 0 ? { tools: providerTools(tools) } : {}),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(thinking === undefined ? {} : { providerOptions: thinkingOptions(adapter, thinking) }),
  };
}

function thinkingOptions(adapter: ProviderAdapter, thinking: boolean): Record<string, JsonObject> {
  if (adapter === 'deepseek') return { deepseek: { thinking: { type: thinking ? 'enabled' : 'disabled' } } };
  if (adapter === 'alibaba') return { alibaba: { enableThinking: thinking } };
  return {};
}

/**
 * `response_format` is ours to write: the providers would put a system message of their own in front of the prompt,
 * where it says nothing new and ends every hit of the vendor's prefix cache.
 */
function extraBody({ responseFormat }: ChatRequest): string {
  return responseFormat ? `"response_format":${JSON.stringify(responseFormat)}` : '';
}

function answerOf(result: LanguageModelV4GenerateResult): ChatAnswer {
  const answer: ChatAnswer = { text: '', reasoning: '', toolCalls: [], finishReason: '', usage: null };
  for (const part of result.content) {
    if (part.type === 'text') answer.text += part.text;
    else if (part.type === 'reasoning') answer.reasoning += part.text;
    else if (part.type === 'tool-call') {
      answer.toolCalls.push({ id: part.toolCallId, name: part.toolName, arguments: part.input });
    }
  }
  answer.finishReason = result.finishReason.raw ?? '';
  answer.usage = usageOf(result.response?.body);
  return answer;
}

/** From the body itself: the providers' own form knows no cache writes and turns what is missing into 0. */
function usageOf(body: unknown): JsonObject | null {
  return isJsonObject(body) && isJsonObject(body.usage) ? body.usage : null;
}

/**
 * The providers are strict: a count that is missing from the usage makes them throw the whole answer away. What they
 * could not read is read by the built-in parser, which takes what is there.
 */
function readAnyway(error: unknown): ChatAnswer {
  const body = APICallError.isInstance(error) && error.statusCode === 200 ? jsonOf(error.responseBody) : undefined;
  return body === undefined ? unwrap(error) : chatAnswer(openAiChat.text(body));
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** Our own failures pass through a provider, or come out of it wrapped; anything else is a 200 that it could not read. */
function unwrap(error: unknown): never {
  for (let inner = error; inner instanceof Error; inner = inner.cause) if (inner instanceof CallFailure) throw inner;
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  throw new CallFailure('unreadable', 'the answer is not what this vendor sends', status ? { status } : {}, error);
}
