import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { answerTo, ChatRequest, type ScriptedAnswer } from './scripted-model.ts';

/** The model of the bench, in a process of its own: answers at once, and counts what it was asked. */

const head = () => ({ id: `chatcmpl-${randomUUID()}`, created: 1, model: 'mock' });
const usage = {
  prompt_tokens: 400,
  completion_tokens: 40,
  total_tokens: 440,
  prompt_tokens_details: { cached_tokens: 320 },
  prompt_cache_hit_tokens: 320,
  prompt_cache_miss_tokens: 80,
};

const messageOf = (answer: ScriptedAnswer) =>
  'text' in answer
    ? { content: answer.text }
    : {
        content: null,
        tool_calls: answer.calls.map((call, index) => ({
          index,
          id: `call_${randomUUID()}`,
          type: 'function',
          function: { name: call.name, arguments: JSON.stringify(call.arguments) },
        })),
      };

const reasonOf = (answer: ScriptedAnswer) => ('text' in answer ? 'stop' : 'tool_calls');

function completion(answer: ScriptedAnswer): string {
  const message = { role: 'assistant', ...messageOf(answer) };
  const choices = [{ index: 0, message, finish_reason: reasonOf(answer), logprobs: null }];
  return JSON.stringify({ ...head(), object: 'chat.completion', choices, usage });
}

const WORD_MS = 20;

/** Word by word: all at once, or at the pace of a model at work. */
async function stream(response: ServerResponse, answer: ScriptedAnswer): Promise<void> {
  const shared = { ...head(), object: 'chat.completion.chunk' };
  const chunk = (delta: object, reason: string | null = null, more: object = {}) =>
    `data: ${JSON.stringify({ ...shared, choices: [{ index: 0, delta, finish_reason: reason }], ...more })}\n\n`;
  const last = `${chunk({}, reasonOf(answer), { usage })}data: [DONE]\n\n`;
  const words = 'text' in answer ? (answer.text.match(/\S+\s*/g) ?? []) : [];
  const deltas = 'text' in answer ? words.map((content) => ({ content })) : [messageOf(answer)];
  if ('text' in answer && answer.slowly) {
    for (const delta of deltas) {
      response.write(chunk(delta));
      await pause(WORD_MS);
    }
    response.end(last);
  } else response.end([...deltas.map((delta) => chunk(delta)), last].join(''));
}

let calls = 0;
const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const asked = ChatRequest.safeParse(JSON.parse(Buffer.concat(pieces).toString() || '{}'));
  if (!asked.success) {
    response.writeHead(400).end(asked.error.message);
    return;
  }
  calls += 1;
  const answer = answerTo(asked.data);
  response.writeHead(200, { 'content-type': asked.data.stream ? 'text/event-stream' : 'application/json' });
  if (asked.data.stream) await stream(response, answer);
  else response.end(completion(answer));
});

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`http://127.0.0.1:${port}/v1`);
});
process.on('message', () => process.send?.(calls));
process.once('disconnect', () => process.exit(0));
