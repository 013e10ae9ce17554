import { isJsonObject } from '../json.ts';
import type { ToolCall } from '../port.ts';
import { CallFailure } from './call-failure.ts';
import type { Attempt, ChatAnswer } from './chat.ts';
import { failureOfErrorChunk } from './vendor-errors.ts';

/**
 * Puts an answer together from the chunks of an OpenAI-compatible stream. Written by hand, without a schema per chunk:
 * it runs for every token. What has another type than expected counts as absent.
 */
export function chatChunkReader(onToken: NonNullable<Attempt['onToken']>) {
  const answer: ChatAnswer = { text: '', reasoning: '', toolCalls: [], finishReason: '', usage: null };
  const callsByIndex = new Map<unknown, ToolCall>();
  let done = false;

  const onToolCall = (delta: unknown) => {
    if (!isJsonObject(delta)) return;
    const part = isJsonObject(delta.function) ? delta.function : {};
    const index = delta.index ?? delta.id ?? callsByIndex.size - 1;
    let call = callsByIndex.get(index);
    if (!call) {
      call = { id: '', name: '', arguments: '' };
      callsByIndex.set(index, call);
      answer.toolCalls.push(call);
    }
    // Some vendors repeat the id and the name with every piece, some send them empty after the first.
    if (typeof delta.id === 'string' && delta.id !== '') call.id = delta.id;
    if (typeof part.name === 'string' && part.name !== '') call.name = part.name;
    if (typeof part.arguments === 'string') call.arguments += part.arguments;
    onToken('tool', '');
  };

  const onDelta = (delta: Record<string, unknown>) => {
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (typeof reasoning === 'string' && reasoning !== '') {
      answer.reasoning += reasoning;
      onToken('reasoning', reasoning);
    }
    const text = delta.content;
    if (typeof text === 'string' && text !== '') {
      answer.text += text;
      onToken('text', text);
    }
    if (Array.isArray(delta.tool_calls)) delta.tool_calls.forEach(onToolCall);
  };

  return {
    /** Takes the data of one event; true when it was the last. */
    push(data: string): boolean {
      if (data === '[DONE]') {
        done = true;
        return true;
      }
      const chunk = parseChunk(data);
      if (chunk.error !== undefined && chunk.error !== null) throw failureOfErrorChunk(chunk.error);
      if (isJsonObject(chunk.usage)) answer.usage = chunk.usage;
      const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
      if (!isJsonObject(choice)) return false;
      if (isJsonObject(choice.delta)) onDelta(choice.delta);
      if (typeof choice.finish_reason === 'string') answer.finishReason = choice.finish_reason;
      return false;
    },
    /** The answer, once the stream is over; a stream that just stops is a broken connection. */
    finish(): ChatAnswer {
      if (!done && answer.finishReason === '') throw new CallFailure('unavailable', 'the stream broke off');
      for (const [index, call] of answer.toolCalls.entries()) call.id ||= `call_${index}`;
      return answer;
    },
  };
}

function parseChunk(data: string): Record<string, unknown> {
  try {
    const chunk: unknown = JSON.parse(data);
    if (isJsonObject(chunk)) return chunk;
  } catch {
    // Falls through: text that is no JSON and JSON that is no object are the same to us.
  }
  throw new CallFailure('unreadable', 'an event of the stream is not a JSON object');
}
