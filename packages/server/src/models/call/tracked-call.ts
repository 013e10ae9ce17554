import type { JsonObject } from '@kith/protocol';
import { type Span, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import { errors } from '../../errors/index.ts';
import type { Log, Metrics } from '../../observability/index.ts';
import type { Secrets } from '../keys/secrets.ts';
import type { CallOutcome } from '../port.ts';
import type { Key, Model, Snapshot } from '../registry/entities.ts';
import { LONGEST_WAIT_MS, pause, pauseBefore } from '../routing/backoff.ts';
import type { Breakers } from '../routing/breaker.ts';
import type { Budgets } from '../routing/budgets.ts';
import type { RateLimits } from '../routing/rate-limits.ts';
import { routesOf } from '../routing/routes.ts';
import { CallFailure } from '../wire/call-failure.ts';
import type { Attempt } from '../wire/chat.ts';
import { canceledBy, startAttemptClock } from './attempt-clock.ts';
import { type Booking, bookingOf, type CallIdentity, type CallRecord } from './booking.ts';
import { asFailure, outcomeError } from './outcome-error.ts';
import { type Candidate, searchRoutes, type Target } from './target.ts';

export interface CallServices {
  snapshot: () => Snapshot;
  secrets: Secrets;
  breakers: Breakers;
  limits: RateLimits;
  budgets: Budgets;
  /** Notes on the key what the vendor said about it. */
  noteKeyError: (key: Key, message: string) => void;
  log: Log;
  metrics: Metrics;
  tracer: Tracer;
  now: () => Date;
  random: () => number;
  timeoutMs: number;
  retries: number;
}

export interface TrackedCall extends CallIdentity {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** What kind of call it is, for the trace. */
  operation: 'chat' | 'embeddings' | 'generate_content';
}

/** One attempt at a target. It reports progress, and its answer brings the vendor's usage. */
export type Work<Value> = (
  target: Target,
  attempt: AttemptHandle,
) => Promise<{ value: Value; usage: JsonObject | null }>;

export interface AttemptHandle extends Pick<Attempt, 'baseUrl' | 'secret' | 'signal'> {
  /** A token arrived: the clock starts anew, and nothing is retried any more. */
  started(): void;
  /** The work asks once more, on its own account: the clock starts anew, and the request is counted. */
  again(): void;
}

/**
 * The one way to a model. It finds a key and an endpoint, tries again where that can help, goes on to the fallback model
 * where it cannot, and books what happened exactly once, whatever happened.
 */
export async function trackedCall<Value>(
  services: CallServices,
  call: TrackedCall,
  work: Work<Value>,
): Promise<CallOutcome<Value>> {
  const startedAt = services.now();
  const span = startSpan(services, call);
  const state: CallState = { attempts: 0, target: undefined, sentAt: startedAt, unsure: false };
  let result: { value: Value; usage: JsonObject | null } | CallFailure;
  try {
    result = await tryModels(services, call, work, state);
  } catch (error) {
    result = asFailure(error, services.secrets.scrub);
  }
  const failure = result instanceof CallFailure ? result : undefined;
  const record: CallRecord = {
    ...state,
    startedAt,
    finishedAt: services.now(),
    usage: result instanceof CallFailure ? null : result.usage,
    failure,
  };
  const booking = bookingOf(call, record, services.log);
  account(services, call, record, booking, span);
  const bookings = [booking.row];
  if (!(result instanceof CallFailure)) return { ok: true, value: result.value, bookings };
  const unknown = !services.snapshot().models.has(call.modelId);
  const error = unknown ? errors.MODEL_NOT_FOUND({ detail: call.modelId }) : outcomeError(result, call.modelId);
  return { ok: false, error, bookings };
}

type CallState = Pick<CallRecord, 'attempts' | 'target' | 'sentAt' | 'unsure'>;

/** After an HTTP error, or where no connection came about, the vendor has done nothing. Otherwise it may have. */
const isCertain = (failure: CallFailure) =>
  !failure.started && ((failure.status ?? 0) >= 400 || failure.message === 'ECONNREFUSED');

/** Failures after which another model may still have an answer. */
const WORTH_A_FALLBACK = new Set(['unauthorized', 'unpaid', 'limited', 'unavailable', 'timeout', 'unreadable']);

async function tryModels<Value>(services: CallServices, call: TrackedCall, work: Work<Value>, state: CallState) {
  const { models } = services.snapshot();
  const tried = new Set<string>();
  let failure: CallFailure | undefined;
  for (let id: string | null = call.modelId; id !== null && !tried.has(id); ) {
    tried.add(id);
    const model = models.get(id);
    if (!model) break;
    const before = state.attempts;
    const result = await tryModel(services, call, work, model, state);
    if (!(result instanceof CallFailure)) return result;
    // A fallback that could not even be asked says less than why it was needed.
    if (failure === undefined || state.attempts > before) failure = result;
    if (failure.started || !WORTH_A_FALLBACK.has(failure.kind)) break;
    id = model.fallbackModelId;
  }
  return failure ?? new CallFailure('unavailable', 'there is no such model');
}

async function tryModel<Value>(
  services: CallServices,
  call: TrackedCall,
  work: Work<Value>,
  model: Model,
  state: CallState,
) {
  const routes = routesOf(services.snapshot(), model, {
    session: call.sessionId ?? call.userId ?? call.callId,
    userGroup: call.userGroup,
    exhausted: services.budgets.exhausted,
  });
  if (!routes) return new CallFailure('unavailable', 'the model or its vendor is switched off');
  if (!routes.keyless && routes.keys.length === 0) {
    return new CallFailure('unauthorized', 'no key is enabled, within its budget and meant for this caller');
  }
  const search = searchRoutes(model, routes, services.breakers, services.limits);
  let failure: CallFailure | undefined;
  let retries = 0;
  for (;;) {
    const next = search.next();
    if (!next) return failure ?? new CallFailure('unavailable', 'no endpoint is fit to be tried');
    const { target } = next;
    const wait = pauseFor(next, failure, retries, services.random);
    if (wait === undefined || wait > LONGEST_WAIT_MS || retries > services.retries) {
      services.breakers.released(target.endpoint.id);
      return failure ?? new CallFailure('limited', `the key is used up for ${Math.ceil(next.waitMs / 1000)} s`);
    }
    if (wait > 0) await pause(wait, call.signal).catch(() => {});
    const result = await attempt(services, call, work, target, state);
    if (!(result instanceof CallFailure)) return result;
    failure = result;
    if (failure.started || failure.kind === 'canceled' || failure.kind === 'refused' || failure.kind === 'too_large') {
      return failure;
    }
    search.failed(target, failure);
    // Going on to another key after a 401 or 402 is no retry: it is another question.
    if (failure.kind !== 'unauthorized' && failure.kind !== 'unpaid') retries += 1;
  }
}

/** How long to wait before a candidate; undefined: longer than anyone should. */
function pauseFor(
  { fresh, waitMs }: Candidate,
  failure: CallFailure | undefined,
  retries: number,
  random: () => number,
) {
  if (fresh || failure === undefined) return waitMs;
  const backoff = pauseBefore(retries - 1, failure.retryAfterMs, random);
  return backoff === undefined ? undefined : Math.max(backoff, waitMs);
}

async function attempt<Value>(
  services: CallServices,
  call: TrackedCall,
  work: Work<Value>,
  target: Target,
  state: CallState,
) {
  const { breakers, limits, secrets } = services;
  const { endpoint, key } = target;
  const secret = key && secrets.open(key.secret, key.id);
  state.target = target;
  if (key && secret === undefined) {
    breakers.released(endpoint.id);
    services.noteKeyError(key, 'cannot be opened with this master key');
    return new CallFailure('unauthorized', 'the key cannot be opened with this master key');
  }
  if (call.signal?.aborted) {
    breakers.released(endpoint.id);
    return canceledBy(call.signal);
  }
  if (key) limits.take(key);
  state.attempts += 1;
  state.sentAt = services.now();
  const clock = startAttemptClock(call.timeoutMs ?? services.timeoutMs, call.signal);
  let started = false;
  const handle: AttemptHandle = {
    baseUrl: endpoint.baseUrl,
    secret,
    signal: clock.signal,
    started: () => {
      started = true;
      clock.progress();
    },
    again: () => {
      state.attempts += 1;
      clock.progress();
    },
  };
  try {
    const result = await work(target, handle);
    breakers.succeeded(endpoint.id);
    return result;
  } catch (error) {
    const failure = asFailure(clock.signal.aborted ? clock.signal.reason : error, secrets.scrub);
    failure.started = started;
    state.unsure ||= !isCertain(failure);
    noteFailure(services, target, failure);
    return failure;
  } finally {
    clock.end();
  }
}

function noteFailure({ breakers, noteKeyError, log }: CallServices, target: Target, failure: CallFailure) {
  const { endpoint, key, model } = target;
  if (failure.kind === 'unavailable' || failure.kind === 'timeout') breakers.failed(endpoint.id);
  else breakers.released(endpoint.id);
  const { message } = failure;
  if (key && (failure.kind === 'unauthorized' || failure.kind === 'unpaid')) noteKeyError(key, message);
  if (failure.kind !== 'canceled') {
    log.warn({ model: model.id, endpoint: endpoint.label, kind: failure.kind, reason: message }, 'a model call failed');
  }
}

function startSpan({ tracer }: CallServices, call: TrackedCall): Span {
  return tracer.startSpan(`${call.operation} ${call.modelId}`, {
    kind: SpanKind.CLIENT,
    attributes: {
      'gen_ai.operation.name': call.operation,
      'gen_ai.request.model': call.modelId,
      'gen_ai.agent.name': call.agentType,
      ...(call.sessionId ? { 'gen_ai.conversation.id': call.sessionId } : {}),
    },
  });
}

/** Metrics, budgets and the trace: what follows from a booking besides the row. */
function account(services: CallServices, call: TrackedCall, record: CallRecord, { row, cost }: Booking, span: Span) {
  const { metrics, limits, budgets } = services;
  const { target, failure } = record;
  const model = row.model_id ?? call.modelId;
  const seconds = (row.latency_ms ?? 0) / 1000;
  metrics.modelCalls.observe({ agent_type: call.agentType, model, status: row.status }, seconds);
  if (row.input_tokens) metrics.modelTokens.inc({ model, direction: 'input' }, row.input_tokens);
  if (row.output_tokens) metrics.modelTokens.inc({ model, direction: 'output' }, row.output_tokens);
  if (target?.key) {
    limits.spend(target.key, (row.input_tokens ?? 0) + (row.output_tokens ?? 0));
    if (cost !== null) budgets.spend(target.key.id, cost);
  }
  span.setAttributes({
    'gen_ai.provider.name': row.vendor_id ?? 'unknown',
    'gen_ai.response.model': target?.model.name ?? call.modelId,
    ...(row.input_tokens === null ? {} : { 'gen_ai.usage.input_tokens': row.input_tokens }),
    ...(row.output_tokens === null ? {} : { 'gen_ai.usage.output_tokens': row.output_tokens }),
    'kith.attempts': row.attempts,
  });
  if (failure) {
    span.setAttribute('error.type', failure.kind);
    span.setStatus({ code: SpanStatusCode.ERROR, message: failure.kind });
  }
  span.end();
}
