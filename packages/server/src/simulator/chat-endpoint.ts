import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Answer } from './brain/answer.ts';
import { reasoningOf, think } from './brain/brain.ts';
import type { Script, ScriptedAnswer } from './control.ts';
import type { Fault } from './faults.ts';
import type { PrefixCache } from './prefix-cache.ts';
import type { Prompt } from './prompt/prompt.ts';
import { cutToTokens } from './tokens.ts';
import { usageOf } from './usage.ts';
import { type ChatRequest, thinks } from './wire/chat-request.ts';
import type { Dialect, Reply } from './wire/dialect.ts';
import {
  beginStream,
  breakOff,
  eventOf,
  LAST_EVENT,
  linger,
  type Pace,
  sendJson,
  writeEvents,
} from './wire/response.ts';

export interface ChatCall {
  request: ChatRequest;
  prompt: Prompt;
  stage: string;
  dialect: Dialect;
  key: string;
  fault: Fault | undefined;
  pace: Pace;
}

export interface ChatServices {
  cache: PrefixCache;
  clock: () => number;
  script: Script | undefined;
}

/** Answers one chat completion, whole or as a stream, with whatever is to go wrong. */
export async function answerChat(call: ChatCall, services: ChatServices, response: ServerResponse): Promise<void> {
  const { request, dialect } = call;
  const refusal = dialect.refuse(request);
  if (refusal) return sendJson(response, refusal.status, dialect.error(refusal));
  const reply = makeReply(call, services);
  // Without a number of chunks there is not even a first byte.
  if (call.fault?.kind === 'hang' && call.fault.after === undefined) return;
  await (request.stream ? streamReply(call, reply, response) : sendReply(call, reply, response));
}

function makeReply({ request, prompt, stage, dialect, key, fault }: ChatCall, services: ChatServices): Reply {
  const scripted = services.script?.({ body: request, prompt, stage });
  const made = scripted ? fromScript(scripted) : think(prompt, services.clock);
  const thought = withReasoning(
    fault?.kind === 'violation' ? violation(prompt) : made,
    request,
    prompt,
    services.clock,
  );
  const { answer, cut } = shortened(thought, request.max_tokens);
  return {
    id: dialect.name === 'deepseek' ? randomUUID() : `chatcmpl-${randomUUID()}`,
    created: Math.floor(services.clock() / 1000),
    model: request.model,
    answer,
    callIds: answer.toolCalls.map((_, at) => `call_${at}_${randomUUID()}`),
    finishReason: cut ? 'length' : answer.toolCalls.length > 0 ? 'tool_calls' : 'stop',
    // The cache learns of the prompt even where the usage is not told.
    usage: omitIf(
      fault?.kind === 'no-usage',
      usageOf(request, answer, services.cache, { key, explicitCache: dialect.explicitCache }),
    ),
  };
}

const omitIf = <Value>(omitted: boolean, value: Value): Value | undefined => (omitted ? undefined : value);

function fromScript({ text, json, toolCalls, reasoning }: ScriptedAnswer): Answer {
  return {
    text: text ?? (json === undefined ? '' : JSON.stringify(json)),
    toolCalls: (toolCalls ?? []).map((call) => ({
      name: call.name,
      arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
    })),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

/** An answer that is good JSON and fits no contract of ours. */
function violation(prompt: Prompt): Answer {
  if (prompt.tools.some((tool) => tool.name === 'finish'))
    return { text: '', toolCalls: [{ name: 'finish', arguments: '{"simulated":"violation"}' }] };
  return { text: '{"simulated":"violation"}', toolCalls: [] };
}

function withReasoning(answer: Answer, request: ChatRequest, prompt: Prompt, clock: () => number): Answer {
  if (!thinks(request)) return { text: answer.text, toolCalls: answer.toolCalls };
  return { ...answer, reasoning: answer.reasoning ?? reasoningOf(prompt, clock, answer) };
}

function shortened(answer: Answer, maxTokens: number | null | undefined): { answer: Answer; cut: boolean } {
  if (!maxTokens) return { answer, cut: false };
  const text = cutToTokens(answer.text, maxTokens);
  return { answer: { ...answer, text }, cut: text !== answer.text };
}

async function sendReply({ dialect, fault, pace }: ChatCall, reply: Reply, response: ServerResponse): Promise<void> {
  if (fault?.kind === 'hang' || !(await linger(response, pace, ''))) return;
  const body = dialect.completion(reply);
  if (fault?.kind === 'error-chunk') return sendJson(response, 500, dialect.error({ status: 500 }));
  if (fault?.kind !== 'reset') return sendJson(response, 200, body);
  const text = JSON.stringify(body);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2));
  breakOff(response);
}

async function streamReply(
  { request, dialect, fault, pace }: ChatCall,
  reply: Reply,
  response: ServerResponse,
): Promise<void> {
  beginStream(response);
  if (pace.latencyMs > 0) response.flushHeaders();
  if (!(await linger(response, pace, ': keep-alive\n\n'))) return;
  const events = dialect.chunks(reply, request).map(eventOf);
  const ends =
    fault?.kind === 'hang' || fault?.kind === 'reset' || fault?.kind === 'error-chunk' ? fault.kind : undefined;
  if (!ends) {
    if (await writeEvents(response, [...events, LAST_EVENT], pace)) response.end();
    return;
  }
  if (!(await writeEvents(response, events.slice(0, fault?.after ?? 0), pace))) return;
  if (ends === 'reset') breakOff(response);
  else if (ends === 'hang') response.flushHeaders();
  else response.end(eventOf(dialect.error({ status: 500 })));
}
