import type { JsonObject } from '@kith/protocol';
import type { ModelMessage, ModelTool, ToolCall } from '../port.ts';

/** What is asked of a chat model in one attempt, in our words. */
export interface ChatRequest {
  /** The vendor's name of the model. */
  model: string;
  messages: readonly ModelMessage[];
  tools?: readonly ModelTool[] | undefined;
  temperature?: number | undefined;
  maxOutputTokens?: number | undefined;
  /** `response_format` of the wire, where the model takes one. */
  responseFormat?: JsonObject | undefined;
  /** Undefined: the model has no switch for it. */
  thinking?: boolean | undefined;
}

/** Where and how one attempt is made. */
export interface Attempt {
  baseUrl: string;
  /** Undefined: the vendor asks for no key. */
  secret: string | undefined;
  /** Aborted with a CallFailure as its reason. */
  signal: AbortSignal;
  /** Given: the answer is streamed. Called for every token that arrives, shown or not. */
  onToken?: ((kind: 'text' | 'reasoning' | 'tool', delta: string) => void) | undefined;
}

/** What came back, in the normal form of text models; the usage exactly as the vendor wrote it. */
export interface ChatAnswer {
  text: string;
  reasoning: string;
  toolCalls: ToolCall[];
  finishReason: string;
  usage: JsonObject | null;
}
