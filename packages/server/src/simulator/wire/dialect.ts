import type { Answer } from '../brain/answer.ts';
import type { Fault } from '../faults.ts';
import type { Usage } from '../usage.ts';
import type { ChatRequest } from './chat-request.ts';

/** A finished answer on its way out. */
export interface Reply {
  id: string;
  created: number;
  model: string;
  answer: Answer;
  /** One per tool call of the answer. */
  callIds: readonly string[];
  finishReason: 'stop' | 'length' | 'tool_calls';
  /** Undefined where the usage is left out. */
  usage: Usage | undefined;
}

/** What is refused, in no vendor's words yet. */
export interface Refusal {
  status: number;
  message?: string;
  reason?: Fault['reason'] | undefined;
}

/** How one vendor says things. */
export interface Dialect {
  name: 'deepseek' | 'dashscope';
  models: readonly string[];
  /** Whether `cache_control` marks in a request select an explicit cache. */
  explicitCache: boolean;
  completion(reply: Reply): unknown;
  /** The stream's chunks in order; without the closing `[DONE]`. */
  chunks(reply: Reply, request: ChatRequest): unknown[];
  error(refusal: Refusal): unknown;
  /** A request that this vendor answers with an error of its own. */
  refuse(request: ChatRequest): Refusal | undefined;
}

const TEXT_PIECE = 6;
const ARGUMENT_PIECE = 24;

/** Cuts by code point: a surrogate pair never comes in two chunks. */
export function pieces(text: string, size = TEXT_PIECE): string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  );
}

/** At least one, since the first piece also brings the call's name. */
export const argumentPieces = (text: string): string[] => (text === '' ? [''] : pieces(text, ARGUMENT_PIECE));

export function wireToolCalls({ answer, callIds }: Reply) {
  return answer.toolCalls.map((call, index) => ({
    index,
    id: callIds[index] ?? '',
    type: 'function' as const,
    function: { name: call.name, arguments: call.arguments },
  }));
}
