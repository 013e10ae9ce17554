import type { IncomingMessage } from 'node:http';
import type { CompiledParser } from '../parsers/compile.ts';
import { argumentText, type PieceForm, type TextForm } from '../parsers/normal-form.ts';
import type { CompiledTemplate } from '../parsers/template.ts';
import type { ModelMessage, ModelTool, ToolCall } from '../port.ts';
import { CallFailure } from './call-failure.ts';
import type { Attempt, ChatAnswer, ChatRequest } from './chat.ts';
import { lineReader, readEvents } from './event-stream.ts';
import { headerOf, readBody, readErrorBody, type Transport } from './transport.ts';
import { failureOfResponse } from './vendor-errors.ts';

/** What the expressions of a request template are evaluated over. */
export type NormalRequest = Record<string, unknown>;

/** Sends a request made from a template; gives back a 2xx, whatever else is a failure. */
async function send(transport: Transport, template: CompiledTemplate, request: NormalRequest, attempt: Attempt) {
  const filled = template(request, attempt.secret);
  const response = await transport.send({
    method: filled.method,
    url: attempt.baseUrl.replace(/\/+$/, '') + filled.path,
    headers: filled.headers,
    body: filled.body,
    signal: attempt.signal,
  });
  const status = response.statusCode ?? 0;
  if (status >= 200 && status <= 299) return response;
  throw failureOfResponse(status, headerOf(response.headers), await readErrorBody(response));
}

/** One exchange of JSON by a template. */
export async function exchangeJson(
  transport: Transport,
  template: CompiledTemplate,
  request: NormalRequest,
  attempt: Attempt,
): Promise<unknown> {
  const response = await send(transport, template, request, attempt);
  return parseJson((await readBody(response, attempt.signal)).toString('utf8'));
}

/** Chat with a model whose wire is data: streamed where its parser knows how and someone listens. */
export async function templatedChat(
  transport: Transport,
  parser: CompiledParser,
  request: ChatRequest,
  attempt: Attempt,
): Promise<ChatAnswer> {
  const { onToken } = attempt;
  const streams = onToken !== undefined && parser.stream !== undefined;
  const normal = normalChatRequest(request, streams);
  if (onToken && parser.stream) {
    return readPieces(await send(transport, parser.request, normal, attempt), parser.stream, onToken, attempt.signal);
  }
  const answer = chatAnswer(parser.text(await exchangeJson(transport, parser.request, normal, attempt)));
  if (answer.reasoning) onToken?.('reasoning', answer.reasoning);
  if (answer.text) onToken?.('text', answer.text);
  return answer;
}

export function chatAnswer(form: TextForm): ChatAnswer {
  return {
    text: form.text,
    reasoning: form.reasoning,
    toolCalls: form.tool_calls,
    finishReason: form.finish_reason,
    usage: form.usage,
  };
}

async function readPieces(
  response: IncomingMessage,
  stream: NonNullable<CompiledParser['stream']>,
  onToken: NonNullable<Attempt['onToken']>,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const answer: ChatAnswer = { text: '', reasoning: '', toolCalls: [], finishReason: '', usage: null };
  const calls = new Map<unknown, ToolCall>();
  let pieces = 0;
  const onPiece = (piece: PieceForm) => {
    pieces += 1;
    answer.reasoning += piece.reasoning;
    if (piece.reasoning) onToken('reasoning', piece.reasoning);
    answer.text += piece.text;
    if (piece.text) onToken('text', piece.text);
    for (const part of piece.tool_calls) {
      addToolCall(calls, answer.toolCalls, part);
      onToken('tool', '');
    }
    answer.finishReason = piece.finish_reason || answer.finishReason;
    answer.usage = piece.usage ?? answer.usage;
  };
  const onData = (data: string) => {
    if (data === '[DONE]') return true;
    onPiece(stream.piece(parseJson(data)));
    return false;
  };
  await readEvents(response, signal, onData, stream.format === 'ndjson' ? lineReader : undefined);
  if (pieces === 0) throw new CallFailure('unreadable', 'a stream without anything in it');
  return answer;
}

function addToolCall(calls: Map<unknown, ToolCall>, list: ToolCall[], part: PieceForm['tool_calls'][number]): void {
  // Without an index or an id, a part with a name begins a call, and one without goes on with the last.
  const index = part.index ?? part.id ?? (part.name ? calls.size : calls.size - 1);
  const call = calls.get(index) ?? { id: `call_${calls.size}`, name: '', arguments: '' };
  if (!calls.has(index)) {
    calls.set(index, call);
    list.push(call);
  }
  if (part.id !== null && part.id !== undefined && part.id !== '') call.id = String(part.id);
  if (part.name) call.name = part.name;
  call.arguments += argumentText(part.arguments);
}

/** The request in words that any template can use; `wire_messages` and `wire_tools` are in OpenAI's form. */
function normalChatRequest(request: ChatRequest, stream: boolean): NormalRequest {
  const { messages } = request;
  return {
    model: request.model,
    messages: messages.map((message) => ({ ...message })),
    system: messages.flatMap((message) => (message.role === 'system' ? message.content : [])).join('\n\n'),
    prompt: messages.findLast((message) => message.role === 'user')?.content ?? '',
    wire_messages: messages.map(wireMessage),
    tools: request.tools?.length ? request.tools : null,
    wire_tools: request.tools?.length ? request.tools.map(wireTool) : null,
    temperature: request.temperature ?? null,
    max_output_tokens: request.maxOutputTokens ?? null,
    response_format: request.responseFormat ?? null,
    thinking: request.thinking ?? null,
    stream,
  };
}

function wireMessage(message: ModelMessage): Record<string, unknown> {
  switch (message.role) {
    case 'user':
      return {
        role: 'user',
        content: message.images?.length ? contentParts(message.content, message.images) : message.content,
      };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content,
        ...(message.reasoning ? { reasoning_content: message.reasoning } : {}),
        ...(message.toolCalls?.length ? { tool_calls: message.toolCalls.map(wireToolCall) } : {}),
      };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'system':
      return { role: 'system', content: message.content };
  }
}

function contentParts(text: string, images: readonly string[]) {
  return [{ type: 'text', text }, ...images.map((url) => ({ type: 'image_url', image_url: { url } }))];
}

function wireToolCall(call: ToolCall) {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}

function wireTool(tool: ModelTool) {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.parameters },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CallFailure('unreadable', 'the answer is not JSON');
  }
}
