/** Why one attempt to reach a model came to nothing. The router decides by `kind` what is tried next. */
export type FailureKind =
  /** The vendor does not accept the key: 401, 403. */
  | 'unauthorized'
  /** The account behind the key has no money left: 402, Arrearage. */
  | 'unpaid'
  /** Too many requests or tokens: 429. */
  | 'limited'
  /** The request itself is at fault: 400, 404, 413, 422, content inspection. */
  | 'refused'
  /** 5xx, or the connection failed or broke. */
  | 'unavailable'
  /** No answer, or no further token, in time. */
  | 'timeout'
  /** A 200 whose body is not what the vendor promised. */
  | 'unreadable'
  /** A body beyond what we are willing to hold. */
  | 'too_large'
  /** The caller gave up. */
  | 'canceled';

export interface FailureFacts {
  status?: number;
  retryAfterMs?: number;
  /** Whether tokens had already arrived: then nothing is tried again. */
  started?: boolean;
}

export class CallFailure extends Error {
  readonly kind: FailureKind;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  started: boolean;

  constructor(kind: FailureKind, message: string, facts: FailureFacts = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CallFailure';
    this.kind = kind;
    this.status = facts.status;
    this.retryAfterMs = facts.retryAfterMs;
    this.started = facts.started ?? false;
  }
}
