import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { CallFailure } from './call-failure.ts';

/**
 * HTTP as vendors need it: kept-alive connections, no redirects (a key must never follow one), no compression (so that
 * a small body cannot unfold into a huge one), and half the CPU of `fetch`.
 */
export interface Transport {
  send(request: WireRequest): Promise<IncomingMessage>;
  close(): void;
}

export interface WireRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Aborted with a CallFailure as its reason. */
  signal: AbortSignal;
}

/** The largest JSON answer we hold: a page of embeddings or a few inline images, and far below what would hurt. */
export const BODY_LIMIT = 32 * 1024 * 1024;
/** Of an error only the beginning is of interest. */
const ERROR_BODY_LIMIT = 64 * 1024;

export function createTransport(): Transport {
  const agents = {
    'http:': new http.Agent({ keepAlive: true, maxFreeSockets: 64 }),
    'https:': new https.Agent({ keepAlive: true, maxFreeSockets: 64 }),
  };
  const modules = { 'http:': http, 'https:': https };
  return {
    send: ({ method, url, headers, body, signal }) =>
      new Promise((resolve, reject) => {
        const protocol = url.startsWith('https:') ? 'https:' : 'http:';
        const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
        const request = modules[protocol].request(
          url,
          { method, agent: agents[protocol], signal, headers: { ...headers, ...length } },
          resolve,
        );
        request.on('error', (error) => reject(connectionFailure(error, signal)));
        request.end(body);
      }),
    close: () => {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

/** What a broken connection means: the caller's or the clock's abort, or the vendor out of reach. */
export function connectionFailure(error: unknown, signal: AbortSignal): CallFailure {
  if (signal.aborted && signal.reason instanceof CallFailure) return signal.reason;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'connection failed';
  return new CallFailure('unavailable', code === 'ECONNRESET' ? 'the connection was reset' : code, {}, error);
}

/** The whole body, as long as it stays under the limit; beyond it the connection is dropped. */
export function readBody(response: IncomingMessage, signal: AbortSignal, limit: number = BODY_LIMIT): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      response.destroy();
      reject(new CallFailure('too_large', `an answer of more than ${limit} bytes`));
    });
    response.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size)));
    response.on('error', (error) => reject(connectionFailure(error, signal)));
  });
}

/** The beginning of an error body, as text; whatever goes wrong while reading it, the error stays the error. */
export function readErrorBody(response: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = () => resolve(Buffer.concat(chunks).subarray(0, ERROR_BODY_LIMIT).toString('utf8'));
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > ERROR_BODY_LIMIT) response.destroy();
    });
    response.on('close', done);
    response.on('error', done);
  });
}

export function headerOf(headers: IncomingHttpHeaders): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
}
