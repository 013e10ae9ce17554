import type { JsonObject } from '@kith/protocol';
import { costOfCall, formatPico, type Pico, summarizeUsage } from '../../billing/index.ts';
import type { Log } from '../../observability/index.ts';
import type { ModelCall, ModelCallRow } from '../port.ts';
import type { CallFailure } from '../wire/call-failure.ts';
import type { Target } from './target.ts';

/** Whom and what a call is for: the part of it that is booked. */
export interface CallIdentity
  extends Pick<ModelCall, 'callId' | 'modelId' | 'userId' | 'userGroup' | 'sessionId' | 'runId' | 'messageId'> {
  /** An agent type, or another reason for the call, such as an administrator's trial. */
  agentType: string;
}

/** How a call went, whichever model answered it in the end. */
export interface CallRecord {
  startedAt: Date;
  finishedAt: Date;
  /** When the attempt that counts was made: its price is that of this moment. */
  sentAt: Date;
  attempts: number;
  /** The last one tried; undefined where none could be. */
  target: Target | undefined;
  usage: JsonObject | null;
  failure: CallFailure | undefined;
  /** An attempt may have been answered, and billed, without our seeing it. */
  unsure: boolean;
}

export interface Booking {
  row: ModelCallRow;
  cost: Pico | null;
}

/**
 * The row of a finished call. What the vendor rejected costs nothing; what may have been answered without our seeing the
 * usage has an unknown cost, which is null and never 0.
 */
export function bookingOf(identity: CallIdentity, record: CallRecord, log: Log): Booking {
  const { target, failure, usage } = record;
  const rejected = failure !== undefined && !record.unsure;
  const priced = !rejected && target ? priceOf(record, target, log) : undefined;
  const cost = rejected ? 0n : (priced?.cost ?? null);
  return {
    cost,
    row: {
      id: identity.callId,
      user_id: identity.userId ?? null,
      session_id: identity.sessionId ?? null,
      run_id: identity.runId ?? null,
      message_id: identity.messageId ?? null,
      agent_type: identity.agentType,
      vendor_id: target?.vendor.id ?? null,
      endpoint_id: target?.endpoint.id ?? null,
      key_id: target?.key?.id ?? null,
      model_id: target?.model.id ?? identity.modelId,
      status: failure ? 'failed' : 'succeeded',
      raw_usage: usage,
      usage_summary: priced?.summary ?? null,
      input_tokens: priced?.summary.input_tokens ?? null,
      output_tokens: priced?.summary.output_tokens ?? null,
      cached_tokens: priced?.summary.cached_prompt_tokens ?? null,
      reasoning_tokens: priced?.summary.reasoning_tokens ?? null,
      cost: cost === null ? null : formatPico(cost),
      currency: 'CNY',
      cost_source: priced?.source ?? null,
      price_card: priced?.card ?? null,
      latency_ms: record.finishedAt.getTime() - record.startedAt.getTime(),
      attempts: record.attempts,
      error: failure ? cut(`${failure.kind}: ${failure.message}`) : null,
      started_at: record.startedAt.toISOString(),
      finished_at: record.finishedAt.toISOString(),
    },
  };
}

function priceOf(record: CallRecord, { model, vendor }: Target, log: Log) {
  const summary = summarizeUsage(record.usage);
  try {
    const query = { model: model.name, vendor: vendor.id, at: record.sentAt, usage: summary };
    const { total, cost_source, card } = costOfCall(query, model.prices);
    return { summary, cost: total, source: cost_source, card };
  } catch (error) {
    // An answer must not be lost over its price; the ledger then says that the price is not known.
    log.error({ err: error, model: model.id }, 'a call could not be priced');
    return { summary, cost: null, source: 'unpriced' as const, card: null };
  }
}

/** By code point, so that nothing is cut in half. */
function cut(text: string): string {
  return text.length <= 500 ? text : [...text].slice(0, 500).join('');
}
