import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** How fast an answer comes. */
export interface Pace {
  /** Before the first byte of a body, or the first chunk of a stream. */
  latencyMs: number;
  chunkDelayMs: number;
  /** While a request waits, a sign of life this often. */
  keepAliveMs: number;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
}

export const eventOf = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
export const LAST_EVENT = 'data: [DONE]\n\n';

/** Waits as long as asked, saying now and then that the request is still alive; false if the client left. */
export async function linger(response: ServerResponse, pace: Pace, signOfLife: string): Promise<boolean> {
  for (let left = pace.latencyMs; left > 0; left -= pace.keepAliveMs) {
    if (!(await pause(response, Math.min(left, pace.keepAliveMs)))) return false;
    if (left > pace.keepAliveMs && response.headersSent) response.write(signOfLife);
  }
  return !response.destroyed;
}

/** Writes the events at the given pace; at none, in one write. False if the client left. */
export async function writeEvents(response: ServerResponse, events: readonly string[], pace: Pace): Promise<boolean> {
  if (pace.chunkDelayMs === 0) {
    response.write(events.join(''));
    return !response.destroyed;
  }
  for (const event of events) {
    if (response.destroyed) return false;
    response.write(event);
    if (!(await pause(response, pace.chunkDelayMs))) return false;
  }
  return true;
}

async function pause(response: ServerResponse, milliseconds: number): Promise<boolean> {
  const left = new AbortController();
  const onClose = () => left.abort();
  response.once('close', onClose);
  try {
    await wait(milliseconds, undefined, { signal: left.signal });
    return !response.destroyed;
  } catch {
    return false;
  } finally {
    response.off('close', onClose);
  }
}

/** A client drops what it has not read when a reset comes: this much time it gets to read. */
const READING_TIME_MS = 20;

/** Resets the connection once what was written is out: the client sees the beginning, then the break. */
export function breakOff(response: ServerResponse): void {
  response.flushHeaders();
  response.write('', () => {
    setTimeout(() => response.socket?.resetAndDestroy(), READING_TIME_MS);
  });
}

/** A 200 that only pretends to be an answer. */
export function sendGarbage(response: ServerResponse, isStream: boolean): void {
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream; charset=utf-8' : 'application/json' });
  response.end(isStream ? 'data: {"choices":[{"delta":<html>\n\n' : '{"choices":[{"message":<html>');
}

const MEGABYTE = 1_000_000;

/** A body that never seems to end. Back-pressure is respected: the simulator itself stays small. */
export async function sendHuge(response: ServerResponse, megabytes: number, isStream: boolean): Promise<void> {
  const [before, after] = isStream
    ? ['data: {"choices":[{"index":0,"delta":{"content":"', '"},"finish_reason":null}]}\n\n']
    : ['{"choices":[{"index":0,"message":{"role":"assistant","content":"', '"},"finish_reason":"stop"}]}'];
  const filler = 'a'.repeat(MEGABYTE / 10);
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream; charset=utf-8' : 'application/json' });
  response.write(before);
  for (let sent = 0; sent < megabytes * MEGABYTE && !response.destroyed; sent += filler.length) {
    if (!response.write(filler)) await drained(response);
  }
  response.end(after);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.once('drain', done);
    response.once('close', done);
  });
}
