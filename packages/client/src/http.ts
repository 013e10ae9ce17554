import type { Problem } from '@kith/protocol';

export interface KithOptions {
  /** Where the server is, e.g. `http://localhost:7070`. A path of a proxy may be part of it. */
  url: string;
  /** A JWT or a service key; a function is asked before every request. */
  token?: string | (() => string | Promise<string>);
  /** Dev auth only. */
  userId?: string;
  /** With a service key: the user it acts for. */
  onBehalfOf?: string;
  fetch?: typeof fetch;
}

/** What the server answered when it did not do what was asked. `code` is stable. */
export class KithApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problem: Problem | undefined;
  /** Seconds after which it may be tried again, when the server says so. */
  readonly retryAfter: number | undefined;

  constructor(status: number, problem: Problem | undefined, retryAfter: number | undefined) {
    super(problem?.detail ?? problem?.title ?? `the server answered ${status}`);
    this.name = 'KithApiError';
    this.status = status;
    this.code = problem?.code ?? 'UNKNOWN';
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  query?: Query | undefined;
  /** Sent as JSON, unless it is a form. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export interface Http {
  /** The answer, if it is a good one. */
  send(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /** The answer's JSON; its type is the wire contract's. */
  json<T>(method: string, path: string, options?: RequestOptions): Promise<T>;
  /** For answers without content. */
  done(method: string, path: string, options?: RequestOptions): Promise<void>;
}

export function createHttp(options: KithOptions): Http {
  const base = options.url.endsWith('/') ? options.url : `${options.url}/`;
  const request = options.fetch ?? fetch;

  const send: Http['send'] = async (method, path, { query = {}, body, headers = {}, signal } = {}) => {
    const address = new URL(path.replace(/^\//, ''), base);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) address.searchParams.set(name, `${value}`);
    }
    const isJson = body !== undefined && !(body instanceof FormData);
    const response = await request(address, {
      method,
      headers: { ...(await identity(options)), ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    if (!response.ok) throw await errorOf(response);
    return response;
  };
  return {
    send,
    json: async (method, path, given) => (await send(method, path, given)).json(),
    async done(method, path, given) {
      await (await send(method, path, given)).arrayBuffer();
    },
  };
}

async function identity({ token, userId, onBehalfOf }: KithOptions): Promise<Record<string, string>> {
  const bearer = typeof token === 'function' ? await token() : token;
  return {
    ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
    ...(userId ? { 'x-user-id': userId } : {}),
    ...(onBehalfOf ? { 'x-on-behalf-of': onBehalfOf } : {}),
  };
}

async function errorOf(response: Response): Promise<KithApiError> {
  const isProblem = response.headers.get('content-type')?.includes('json');
  const problem: Problem | undefined = isProblem ? await response.json().catch(() => undefined) : undefined;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new KithApiError(response.status, problem, Number.isFinite(seconds) ? seconds : undefined);
}

/** A part of a path, whatever is in it. */
export const part = (value: string) => encodeURIComponent(value);
