import { CallFailure, type FailureKind } from './call-failure.ts';

export interface VendorError {
  status: number;
  /** The vendor's own code, type and message, where its body had them. */
  code: string;
  message: string;
}

const BY_STATUS: Readonly<Record<number, FailureKind>> = {
  401: 'unauthorized',
  402: 'unpaid',
  403: 'unauthorized',
  408: 'unavailable',
  409: 'unavailable',
  425: 'unavailable',
  429: 'limited',
};

/**
 * Statuses that vendors write as words into an error that came with a 200. `invalid_request_error` is not among them:
 * DeepSeek puts it on everything, and a request whose stream has begun was valid.
 */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  invalid_api_key: 401,
  authentication_error: 401,
  insufficient_balance: 402,
  rate_limit_exceeded: 429,
  rate_limit_error: 429,
  limit_requests: 429,
  server_error: 500,
  api_error: 500,
  internal_error: 500,
  internal_server_error: 500,
  overloaded_error: 503,
  service_unavailable: 503,
  data_inspection_failed: 400,
  context_length_exceeded: 400,
};

/** DashScope tells its 429s apart by message only; each clears up in a time of its own. */
const LIMIT_CLASSES: readonly [pattern: RegExp, waitMs: number][] = [
  [/requests list/i, 2_000],
  [/current quota|allocated quota/i, 10_000],
  [/increased too quickly/i, 1_000],
];

/** The failure that an HTTP answer other than a 2xx means. */
export function failureOfResponse(status: number, header: (name: string) => string | undefined, body: string) {
  return failureOf({ status, ...readErrorBody(body) }, retryAfter(header));
}

/** The failure that the error chunk of a stream means; its status, if any, is in its code. */
export function failureOfErrorChunk(error: unknown): CallFailure {
  const { code, message } = errorFields(error);
  const numeric = /^[45]\d{2}$/.test(code) ? Number(code) : undefined;
  return failureOf({ status: numeric ?? STATUS_OF_CODE[code.toLowerCase()] ?? 500, code, message }, undefined);
}

function failureOf(error: VendorError, retryAfterMs: number | undefined): CallFailure {
  const kind = kindOf(error);
  const wait = kind === 'limited' ? (retryAfterMs ?? waitOfClass(error.message)) : retryAfterMs;
  const said = [error.code, error.message].filter(Boolean).join(': ');
  const facts = { status: error.status, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
  return new CallFailure(kind, said ? `${error.status} ${said}` : `${error.status}`, facts);
}

function kindOf({ status, code, message }: VendorError): FailureKind {
  // DashScope answers 400 for an account in arrears.
  if (status === 400 && /^arrearage$/i.test(code)) return 'unpaid';
  // OpenAI's `insufficient_quota` is an empty purse; DashScope uses the same code for tokens a minute, with other words.
  if (status === 429 && code === 'insufficient_quota' && /billing|balance/i.test(message)) return 'unpaid';
  return BY_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'refused');
}

function waitOfClass(message: string): number | undefined {
  return LIMIT_CLASSES.find(([pattern]) => pattern.test(message))?.[1];
}

function readErrorBody(body: string): { code: string; message: string } {
  try {
    return errorFields(JSON.parse(body));
  } catch {
    return { code: '', message: body.trim().slice(0, 200) };
  }
}

/** `{error: {code, type, message}}`, `{code, message}`, `{error: "…"}`: what the known vendors write. */
function errorFields(body: unknown): { code: string; message: string } {
  if (typeof body === 'string') return { code: '', message: body.slice(0, 500) };
  if (typeof body !== 'object' || body === null) return { code: '', message: '' };
  if ('error' in body && body.error !== null && body.error !== undefined) return errorFields(body.error);
  const code = ['code', 'type'].map((name) => Reflect.get(body, name)).find((value) => value !== null && value !== '');
  const message = 'message' in body ? body.message : '';
  return { code: code === undefined ? '' : String(code), message: String(message ?? '').slice(0, 500) };
}

/** `Retry-After` in seconds or as a date, or DeepSeek's and OpenAI's milliseconds. */
function retryAfter(header: (name: string) => string | undefined): number | undefined {
  const milliseconds = Number(header('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const text = header('retry-after');
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (seconds >= 0) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
