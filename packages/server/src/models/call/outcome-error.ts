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
  const status = failure.status === undefined ? '' : ` (${failure.status})`;
  const detail = `${modelId}: ${DETAILS[failure.kind]}${status}`;
  return errors[CODES[failure.kind]]({ detail, modelId, kind: failure.kind }, failure);
}

/** Whatever a call threw, as a failure: what is none of ours is a fault in reading the answer. */
export function asFailure(error: unknown): CallFailure {
  if (error instanceof CallFailure) return error;
  return new CallFailure('unreadable', error instanceof Error ? error.message : 'an unknown fault', {}, error);
}
