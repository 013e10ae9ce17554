import type { AgentType, CostSource, JsonObject } from '@kith/protocol';
import type { z } from 'zod';
import type { KithError } from '../errors/index.ts';

/** One tracked way to call any model: what callers ask for, and what they get back with its booking. */

export interface ToolCall {
  id: string;
  name: string;
  /** JSON text, as the model wrote it. */
  arguments: string;
}

export type ModelMessage =
  | { role: 'system'; content: string }
  /** `images` are URLs (`https:` or `data:`) for multimodal models. */
  | { role: 'user'; content: string; images?: string[] }
  | { role: 'assistant'; content: string; reasoning?: string; toolCalls?: ToolCall[] }
  | { role: 'tool'; toolCallId: string; toolName: string; content: string };

export interface ModelTool {
  name: string;
  description: string;
  /** JSON schema of the arguments. */
  parameters: JsonObject;
}

export interface ModelCall {
  /** The id of its `model_calls` row, chosen by the caller so that it can be announced before the call is made. */
  callId: string;
  agentType: AgentType;
  modelId: string;
  messages: ModelMessage[];
  tools?: ModelTool[];
  temperature?: number;
  maxOutputTokens?: number;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Whom it is booked to. The session also pins the key, so that the vendor's prompt cache keeps hitting. */
  userId?: string;
  userGroup?: string;
  sessionId?: string;
  runId?: string;
  messageId?: string;
  /** Given: the answer is streamed. Nothing is retried after the first token. */
  onText?: (delta: string) => void;
  onReasoning?: (delta: string) => void;
}

export interface ModelAnswer {
  text: string;
  reasoning: string;
  toolCalls: ToolCall[];
  finishReason: string;
}

/** A row of `model_calls`, in its column names: written by `bookModelCalls`, or by a run's checkpoint. */
export interface ModelCallRow {
  id: string;
  user_id: string | null;
  session_id: string | null;
  run_id: string | null;
  message_id: string | null;
  agent_type: string;
  vendor_id: string | null;
  endpoint_id: string | null;
  key_id: string | null;
  model_id: string | null;
  status: 'started' | 'succeeded' | 'failed' | 'lost';
  raw_usage: JsonObject | null;
  usage_summary: JsonObject | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cached_tokens: number | null;
  reasoning_tokens: number | null;
  /** Exact decimal string of CNY; null where unknown. */
  cost: string | null;
  currency: 'CNY';
  cost_source: CostSource | null;
  price_card: string | null;
  latency_ms: number | null;
  attempts: number;
  error: string | null;
  started_at: string;
  finished_at: string | null;
}

export type CallOutcome<Value> =
  | { ok: true; value: Value; bookings: ModelCallRow[] }
  | { ok: false; error: KithError; bookings: ModelCallRow[] };

export interface StructuredOutput<Value> {
  /** Named in the request: `response_format.json_schema.name`, or the line `Schema: <name>` for json_object models. */
  name: string;
  schema: z.ZodType<Value>;
  /** A top-level string field whose text is streamed out of the partial JSON through `onText`. */
  streamField?: string;
  /** Streams only while this holds of the partial object (e.g. route === 'DIRECT_EXECUTION'). */
  streamWhen?: (partial: Record<string, unknown>) => boolean;
  /** Told before an additional call (the one repair) is made, so that the caller can make its intent durable. */
  announce?: (callId: string) => Promise<void>;
}

export interface Models {
  /** Text and tool calls. Never throws for a vendor's failure: the outcome carries it, with its booking. */
  generate(call: ModelCall): Promise<CallOutcome<ModelAnswer>>;
  /** An answer that fits the schema: sent back once with the reason, then CONTRACT_VIOLATION. */
  structured<Value>(
    call: ModelCall,
    output: StructuredOutput<Value>,
  ): Promise<CallOutcome<{ value: Value; reasoning: string }>>;
  embed(call: Omit<ModelCall, 'messages' | 'tools'>, texts: string[]): Promise<CallOutcome<number[][]>>;
  /** The model of an agent type, from the registry (`system_agents`); undefined for an optional type that has none. */
  modelFor(agentType: AgentType): string | undefined;
}
