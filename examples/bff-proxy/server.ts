import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

const kith = `${process.env.KITH_URL ?? 'http://127.0.0.1:7070'}/api/v1/agent`;
const key = process.env.KITH_SERVICE_KEY;
if (!key) throw new Error('KITH_SERVICE_KEY is missing: make one with `npm run kith -- service-keys add shop`');

/** Who is logged in here. Stands for your own session; Kith believes it because of the key. */
const userOf = (request: IncomingMessage) => /(?:^|; )user=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];

const asUser = (userId: string) => ({ authorization: `Bearer ${key}`, 'x-on-behalf-of': userId });

async function logIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { user } = (await json(request)) as { user: string };
  const isName = /^[\w-]+$/.test(user);
  response
    .writeHead(isName ? 204 : 400, isName ? { 'set-cookie': `user=${user}; HttpOnly; SameSite=Strict` } : {})
    .end();
}

/** A message from the page becomes a run; the page gets its name. */
async function ask(userId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { thread, message } = (await json(request)) as { thread: string; message: string };
  await pass(userId, response, '/runs', {
    threadId: thread,
    runId: randomUUID(),
    messages: [{ id: randomUUID(), role: 'user', content: message }],
    // What your business knows and the model may use. Identity never comes from here.
    context: [{ description: 'shop', value: 'The user looks at order 4711.' }],
  });
}

/** The user's word on a call that waits for it. */
async function decide(userId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { thread, call, approved } = (await json(request)) as { thread: string; call: string; approved: boolean };
  const path = `/runs/${encodeURIComponent(thread)}/tool-calls/${encodeURIComponent(call)}/decision`;
  await pass(userId, response, path, { approved });
}

async function stop(userId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { thread, run } = (await json(request)) as { thread: string; run: string };
  await pass(userId, response, `/runs/${encodeURIComponent(thread)}/cancel?runId=${encodeURIComponent(run)}`, {});
}

/** What was said, for a page that was reloaded. */
const history = (userId: string, url: URL, response: ServerResponse) =>
  pass(userId, response, `/history?threadId=${encodeURIComponent(url.searchParams.get('thread') ?? '')}`);

async function pass(userId: string, response: ServerResponse, path: string, body?: object): Promise<void> {
  const headers = { ...asUser(userId), 'content-type': 'application/json' };
  const answer = await fetch(kith + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
  response.end(await answer.text());
}

/** The run's events, byte for byte; whoever reconnects here resumes there. */
async function events(userId: string, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { thread = '', run = '', after = '' } = Object.fromEntries(url.searchParams);
  const lastSeen = request.headers['last-event-id'] ?? after;
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  const stream = await fetch(`${kith}/runs/${encodeURIComponent(thread)}/events?runId=${encodeURIComponent(run)}`, {
    headers: { ...asUser(userId), ...(lastSeen ? { 'last-event-id': `${lastSeen}` } : {}) },
    signal: leaving.signal,
  });
  const type = stream.headers.get('content-type') ?? 'application/problem+json';
  response.writeHead(stream.status, { 'content-type': type, 'cache-control': 'no-cache', 'x-accel-buffering': 'no' });
  if (stream.body) await pipeline(stream.body, response);
  else response.end();
}

async function page(response: ServerResponse): Promise<void> {
  const html = await readFile(new URL('index.html', import.meta.url));
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const wanted = `${request.method} ${url.pathname}`;
  if (wanted === 'GET /') return page(response);
  if (wanted === 'POST /login') return logIn(request, response);
  const userId = userOf(request);
  if (!userId) return response.writeHead(401).end();
  if (wanted === 'POST /ask') return ask(userId, request, response);
  if (wanted === 'POST /decide') return decide(userId, request, response);
  if (wanted === 'POST /stop') return stop(userId, request, response);
  if (wanted === 'GET /history') return history(userId, url, response);
  if (wanted === 'GET /events') return events(userId, url, request, response);
  return response.writeHead(404).end();
}

createServer((request, response) => {
  // The reader left, or Kith is away. A cut connection, unlike an error status, is what EventSource comes back from.
  answer(request, response).catch(() => response.destroy());
}).listen(8080, 'localhost', () => console.log('http://localhost:8080, talking to', kith));
