import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { z } from 'zod';
import { Config } from '../src/config/index.ts';
import { type Kith, type StartOptions, startKith } from '../src/main.ts';
import { createLog } from '../src/observability/index.ts';
import { testDatabaseAddress } from './database.ts';

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, text otherwise. */
  body: unknown;
  /** The body, as the wire contract has it. */
  read<T>(schema: z.ZodType<T>): T;
}

/** Requests of one user, in dev auth. */
export interface TestUser {
  fetch(path: string, init?: RequestInit): Promise<Response>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export interface TestKith extends Kith {
  url: string;
  as(userId: string, role?: 'user' | 'admin'): TestUser;
  /** With exactly these headers. */
  with(headers: Record<string, string>): TestUser;
}

export interface TestKithOptions {
  config?: z.input<typeof Config>;
  options?: StartOptions;
  /** With an embedded database of its own in its home, as people start it: for what is the same on any database. */
  ownDatabase?: boolean;
}

/** A whole server on a free port, on the database of the running project; closed after the file. */
export async function testKith(given: TestKithOptions = {}): Promise<TestKith> {
  const home = mkdtempSync(join(tmpdir(), 'kith-home-'));
  const config = Config.parse({ ...given.config, home, server: { port: 0, ...given.config?.server } });
  const kith = await startKith(config, {
    log: createLog('silent'),
    ...(given.ownDatabase ? {} : { database: await testDatabaseAddress() }),
    ...given.options,
  });
  afterAll(async () => {
    await kith.close();
    rmSync(home, { recursive: true, force: true });
  });
  const { url } = kith;
  if (!url) throw new Error('a test server needs the api role');
  return {
    ...kith,
    url,
    as: (userId, role) => userOf(url, { 'x-user-id': userId, ...(role ? { 'x-user-role': role } : {}) }),
    with: (headers) => userOf(url, headers),
  };
}

function userOf(url: string, own: Record<string, string>): TestUser {
  const send = (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(own)) if (!headers.has(name)) headers.set(name, value);
    return fetch(new URL(path, url), { ...init, headers });
  };
  const ask = async (method: string, path: string, body?: unknown, extra: Record<string, string> = {}) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = new Headers(extra);
    if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
    return answerOf(await send(path, { method, ...json, headers }));
  };
  return {
    fetch: send,
    get: (path, headers) => ask('GET', path, undefined, headers),
    post: (path, body, headers) => ask('POST', path, body, headers),
    put: (path, body, headers) => ask('PUT', path, body, headers),
    patch: (path, body, headers) => ask('PATCH', path, body, headers),
    delete: (path, headers) => ask('DELETE', path, undefined, headers),
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  const body: unknown = isJson && text ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body, read: (schema) => schema.parse(body) };
}
