/** What went wrong, in a form a caller may see: a stable code, its status and title, and the facts that name the cause. */
export class KithError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldError[];

  constructor(code: ErrorCode, facts: Record<string, unknown> = {}, cause?: unknown) {
    const [status, title] = rows[code];
    const { detail, fields, ...rest } = facts;
    super(typeof detail === 'string' ? detail : title, cause === undefined ? undefined : { cause });
    this.name = 'KithError';
    this.code = code;
    this.status = status;
    this.facts = rest;
    this.fields = Array.isArray(fields) ? fields : [];
  }

  get title(): string {
    return rows[this.code][1];
  }
}

export interface FieldError {
  field: string;
  message: string;
}

const rows = {
  // requests
  REQUEST_INVALID: [400, 'The request is not valid'],
  SETTINGS_INVALID: [400, 'Settings are not valid'],
  BODY_TOO_LARGE: [413, 'The body is too large'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'This media type is not accepted'],
  NOT_FOUND: [404, 'There is nothing here'],
  METHOD_NOT_ALLOWED: [405, 'This method is not allowed here'],
  UPGRADE_REQUIRED: [426, 'This address speaks WebSocket'],
  RATE_LIMITED: [429, 'Too many requests'],
  INTERNAL: [500, 'Something went wrong on our side'],
  NOT_READY: [503, 'The server is not ready'],
  // identity
  UNAUTHENTICATED: [401, 'Who are you? A valid token or key is needed'],
  TOKEN_INVALID: [401, 'The token is not valid'],
  FORBIDDEN: [403, 'This is not allowed for your role'],
  NOT_YOUR_DATA: [403, 'This belongs to another user'],
  HOST_NOT_ALLOWED: [403, 'The server does not answer under this host name'],
  ORIGIN_NOT_ALLOWED: [403, 'This origin may not talk to the server'],
  // users
  PROFILE_NOT_FOUND: [404, 'This user has no profile'],
  // sessions and runs
  SESSION_NOT_FOUND: [404, 'There is no such session'],
  THREAD_EXISTS: [409, 'A session with this thread id exists'],
  RUN_NOT_FOUND: [404, 'There is no such run'],
  THREAD_BUSY: [409, 'A run is under way on this thread'],
  RUN_NOT_ACTIVE: [409, 'The run is not under way'],
  NOTHING_TO_ANSWER: [400, 'The request has no new user message'],
  EVENTS_EXPIRED: [410, 'These events are no longer kept'],
  TOOL_CALL_NOT_FOUND: [404, 'There is no such tool call'],
  TOOL_CALL_NOT_PENDING: [409, 'This tool call does not wait for a decision'],
  APPROVAL_EXPIRED: [410, 'The time to decide has passed'],
  LEASE_LOST: [409, 'Another worker holds this run'],
  // stages and models
  CONTRACT_VIOLATION: [502, 'The model did not keep to its contract'],
  MODEL_UNAVAILABLE: [502, 'The model could not be reached'],
  MODEL_TIMEOUT: [504, 'The model took too long'],
  MODEL_REFUSED: [502, 'The model refused the request'],
  MODEL_NOT_FOUND: [404, 'There is no such model'],
  VENDOR_NOT_FOUND: [404, 'There is no such vendor'],
  ENDPOINT_NOT_FOUND: [404, 'There is no such endpoint'],
  KEY_NOT_FOUND: [404, 'There is no such key'],
  NO_KEY: [502, 'No usable key for this model'],
  ALREADY_EXISTS: [409, 'Something with this name exists'],
  IN_USE: [409, 'It is still in use'],
  STAGE_MODEL_MISSING: [500, 'A stage has no model'],
  LIMIT_REACHED: [429, 'A limit of this run was reached'],
  RUN_CANCELED: [409, 'The run was canceled'],
  // memory, files, automation, skills
  MEMORY_NOT_FOUND: [404, 'There is no such memory'],
  MEMORY_SUPERSEDED: [409, 'A newer memory has taken the place of this one'],
  MEMORY_VERBATIM: [409, 'A turn is kept as it was said: forget it, or add what is true'],
  FILE_NOT_FOUND: [404, 'There is no such file'],
  FILE_TOO_LARGE: [413, 'The file is too large'],
  FILE_TYPE_REFUSED: [415, 'This type of file is not accepted'],
  FILE_NOT_READABLE: [422, 'The file could not be read'],
  AUTOMATION_NOT_FOUND: [404, 'There is no such automation'],
  SKILL_NOT_FOUND: [404, 'There is no such skill'],
  CONTACT_NOT_FOUND: [404, 'There is no such contact'],
  // starting up
  CONFIG_INVALID: [500, 'The configuration is not valid'],
  DATABASE_LOCKED: [500, 'Another server uses this folder'],
  ADDRESS_IN_USE: [500, 'Another program listens on this port'],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof rows;
type Maker = (
  facts?: { detail?: string; fields?: FieldError[] } & Record<string, unknown>,
  cause?: unknown,
) => KithError;

/** `throw errors.THREAD_BUSY({ threadId })` */
export const errors = Object.fromEntries(
  Object.keys(rows).map(
    (code) => [code, (facts, cause) => new KithError(code as ErrorCode, facts, cause)] as [string, Maker],
  ),
) as Record<ErrorCode, Maker>;

export const isKithError = (error: unknown): error is KithError => error instanceof KithError;
