import { Problem } from '@kith/protocol';
import { identityHeaders } from './identity.ts';

/** What the server refused, with its stable code; or `OFFLINE`, when it could not be reached. */
export class ApiError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.name = 'ApiError';
    this.problem = problem;
  }

  get code(): string {
    return this.problem.code;
  }

  get status(): number {
    return this.problem.status;
  }

  /** What is wrong with one field of a form, by its path (`preferences.timezone`). */
  fieldError(field: string): string | undefined {
    return this.problem.errors?.find((error) => error.field === field)?.message;
  }
}

export const isApiError = (error: unknown, code?: string): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code);

export type Query = Record<string, string | number | boolean | null | undefined>;

export interface RequestOptions {
  query?: Query;
  body?: unknown;
  /** A form is sent as it is. */
  form?: FormData;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** A schema of `@kith/protocol`. */
export interface Contract<T> {
  parse(value: unknown): T;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Addresses are relative to the page's base, so that the console works under a proxy's sub-path. */
export function addressOf(path: string, query: Query = {}): string {
  const url = new URL(path.replace(/^\//, ''), document.baseURI);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** The answer itself, refused or not reached as an ApiError. */
export async function send(method: Method, path: string, options: RequestOptions = {}): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...identityHeaders(), ...options.headers };
  const init: RequestInit = { method, headers, ...(options.signal ? { signal: options.signal } : {}) };
  if (options.form) init.body = options.form;
  else if (options.body !== undefined) {
    headers['content-type'] = 'application/json';
    init.body = JSON.stringify(options.body);
  }
  const response = await fetch(addressOf(path, options.query), init).catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    throw new ApiError({ type: 'about:blank', title: 'The server cannot be reached', status: 0, code: 'OFFLINE' });
  });
  if (!response.ok) throw new ApiError(await problemOf(response));
  return response;
}

async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  const problem = Problem.safeParse(body);
  if (problem.success) return problem.data;
  // Not from our server: a proxy in front of it.
  return { type: 'about:blank', title: response.statusText, status: response.status, code: `HTTP_${response.status}` };
}

async function ask<T>(method: Method, path: string, schema: Contract<T>, options?: RequestOptions): Promise<T> {
  const response = await send(method, path, options);
  return schema.parse(await response.json());
}

/** Requests whose answers are read by the wire contracts: `api.get('api/v1/users/me', CurrentUser)`. */
export const api = {
  get: <T>(path: string, schema: Contract<T>, options?: RequestOptions) => ask('GET', path, schema, options),
  post: <T>(path: string, schema: Contract<T>, options?: RequestOptions) => ask('POST', path, schema, options),
  put: <T>(path: string, schema: Contract<T>, options?: RequestOptions) => ask('PUT', path, schema, options),
  patch: <T>(path: string, schema: Contract<T>, options?: RequestOptions) => ask('PATCH', path, schema, options),
  /** Reads no answer. */
  async delete(path: string, options?: RequestOptions): Promise<void> {
    await send('DELETE', path, options);
  },
};

/** A part of a path: thread and file ids may hold any character. */
export const segment = encodeURIComponent;
