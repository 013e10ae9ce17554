import { errors, isKithError, type KithError } from '../../errors/index.ts';
import { CallFailure, type FailureKind } from '../wire/call-failure.ts';

const CODES = {
  unauthorized: 'NO_KEY',
  unpaid: 'NO_KEY',
  limited: 'MODEL_UNAVAILABLE',
  refused: 'MODEL_REFUSED',
  unavailable: 'MODEL_UNAVAILABLE',
  timeout: 'MODEL_TIMEOUT',
  unreadable: 'MODEL_UNAVAILABLE',
  too_large: 'MODEL_UNAVAILABLE',
} as const satisfies Record<Exclude<FailureKind, 'canceled'>, string>;

/** What a caller may be told: our words and the status. The vendor's own words stay in the ledger. */
const DETAILS = {
  unauthorized: 'the vendor does not accept the key',
  unpaid: 'the account behind the key has no balance',
  limited: 'the vendor limits our requests',
  refused: 'the vendor refused the request',
  unavailable: 'the vendor is out of reach or failed',
  timeout: 'no answer in time',
  unreadable: 'the vendor answered something unreadable',
  too_large: 'the answer is too large',
} as const satisfies Record<keyof typeof CODES, string>;

/** The error that a call ends with, from the failure of its last attempt. */
export function outcomeError(failure: CallFailure, modelId: string): KithError {
  if (failure.kind === 'canceled') {
    return isKithError(failure.cause) ? failure.cause : errors.RUN_CANCELED({ modelId });
  }
  // Where no vendor was asked, the reason is ours, and may be told.
  const ours = failure.status === undefined && failure.kind === 'unauthorized';
  const status = failure.status === undefined ? '' : ` (${failure.status})`;
  const detail = `${modelId}: ${ours ? failure.message : DETAILS[failure.kind]}${status}`;
  return errors[CODES[failure.kind]]({ detail, modelId, kind: failure.kind }, failure);
}

/**
 * Whatever an attempt threw, as a failure fit to be kept and logged: without secrets, and without the causes that
 * libraries hang on it, which may hold the whole request. An error of our own came from the caller's side, out of what
 * it does with the tokens: it ends the call as if the caller had given up.
 */
export function asFailure(error: unknown, scrub: (text: string) => string): CallFailure {
  if (isKithError(error)) return new CallFailure('canceled', 'the caller gave up', {}, error);
  if (!(error instanceof CallFailure)) {
    return new CallFailure('unreadable', scrub(error instanceof Error ? error.message : 'an unknown fault'));
  }
  const { kind, message, status, retryAfterMs, started, cause } = error;
  const facts = {
    started,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  return new CallFailure(kind, scrub(message), facts, kind === 'canceled' ? cause : undefined);
}
