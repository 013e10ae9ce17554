import { randomUUID } from 'node:crypto';
import type { InvokeInput, InvokeResult, ModelCallView } from '@kith/protocol';
import type { Database } from '../../db/index.ts';
import { errors, isKithError } from '../../errors/index.ts';
import { bookModelCalls } from '../book-model-calls.ts';
import { type ChatServices, chatCall } from '../call/chat-call.ts';
import { embedCall } from '../call/embed-call.ts';
import { mediaCall } from '../call/media-call.ts';
import type { CallOutcome, ModelCallRow, ModelMessage } from '../port.ts';
import type { Model } from '../registry/entities.ts';

/** The agent type under which trials are booked. */
const TRIAL = 'INVOKE';

type Answer = Omit<InvokeResult, 'model_id' | 'category' | 'call'>;

/** Tries a model, whatever its category, and books the call. A failure tells the administrator what the vendor said. */
export function invoker({ sql }: Database, services: ChatServices) {
  return async (modelId: string, input: InvokeInput, userId: string): Promise<InvokeResult> => {
    const model = services.snapshot().models.get(modelId);
    if (!model) throw errors.MODEL_NOT_FOUND({ detail: modelId });
    const begun = input.task_id === undefined ? undefined : await findBegun(sql, modelId, input.task_id);
    const base = {
      callId: begun?.id ?? randomUUID(),
      agentType: TRIAL,
      modelId,
      // Whoever asks after a task: the key that began it is the one that knows of it.
      userId: begun?.user_id ?? userId,
      userGroup: input.user_group,
    };
    const outcome = await ask(services, model, base, input);
    await bookModelCalls(sql, outcome.bookings);
    const [row] = outcome.bookings;
    if (!outcome.ok) {
      const said = row?.error ? { detail: `${outcome.error.message} (${row.error})` } : {};
      throw isKithError(outcome.error) ? errors[outcome.error.code](said, outcome.error) : outcome.error;
    }
    if (!row) throw errors.INTERNAL({ detail: 'a call without a booking' });
    return { model_id: modelId, category: model.category, ...outcome.value, call: callView(row) };
  };
}

type Base = Pick<Parameters<typeof chatCall>[1], 'callId' | 'agentType' | 'modelId' | 'userId' | 'userGroup'>;

async function ask(services: ChatServices, model: Model, base: Base, input: InvokeInput): Promise<CallOutcome<Answer>> {
  switch (model.category) {
    case 'embedding': {
      const texts = typeof input.input === 'string' ? [input.input] : input.input;
      const outcome = await embedCall(services, base, texts ?? needed('input'));
      return outcome.ok ? { ...outcome, value: { vectors: outcome.value } } : outcome;
    }
    case 'text-to-image':
    case 'text-to-video':
      return mediaCall(services, {
        ...base,
        prompt: input.prompt ?? (input.task_id === undefined ? needed('prompt') : ''),
        parameters: input.parameters ?? {},
        taskId: input.task_id,
        waitMs: input.wait_seconds * 1000,
      });
    default: {
      const outcome = await chatCall(services, {
        ...base,
        messages: messagesOf(input),
        temperature: input.temperature,
        maxOutputTokens: input.max_output_tokens,
      });
      return outcome.ok ? { ...outcome, value: textAnswer(outcome.value) } : outcome;
    }
  }
}

function textAnswer(answer: {
  text: string;
  reasoning: string;
  toolCalls: Answer['tool_calls'];
  finishReason: string;
}) {
  return {
    text: answer.text,
    reasoning: answer.reasoning,
    tool_calls: answer.toolCalls,
    finish_reason: answer.finishReason,
  };
}

function messagesOf({ messages, prompt }: InvokeInput): ModelMessage[] {
  const all: ModelMessage[] = [
    ...(messages ?? []),
    ...(prompt === undefined ? [] : [{ role: 'user' as const, content: prompt }]),
  ];
  return all.length > 0 ? all : needed('prompt');
}

function needed(field: string): never {
  throw errors.REQUEST_INVALID({ fields: [{ field, message: 'is needed for a model of this category' }] });
}

async function findBegun(sql: Database['sql'], modelId: string, taskId: string) {
  const [row] = await sql<{ id: string; user_id: string | null }[]>`
    select id, user_id from model_calls
    where model_id = ${modelId} and status = 'started' and raw_usage ->> 'task_id' = ${taskId}`;
  return row;
}

function callView(row: ModelCallRow): ModelCallView {
  const { id, model_id, vendor_id, endpoint_id, key_id, status, attempts, latency_ms, raw_usage, error } = row;
  const { input_tokens, output_tokens, cached_tokens, reasoning_tokens, cost, currency, cost_source, price_card } = row;
  return {
    id,
    model_id,
    vendor_id,
    endpoint_id,
    key_id,
    status,
    attempts,
    latency_ms,
    raw_usage,
    input_tokens,
    output_tokens,
    cached_tokens,
    reasoning_tokens,
    cost,
    currency,
    cost_source,
    price_card,
    error,
  };
}
