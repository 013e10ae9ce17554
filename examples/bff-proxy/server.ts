import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

const kith = process.env.KITH_URL ?? 'http://127.0.0.1:7070';
const key = process.env.KITH_SERVICE_KEY;
if (!key) throw new Error('KITH_SERVICE_KEY is missing: make one with `kith service-keys add shop`');

/** Who is logged in here. Stands for your own session; Kith believes it because of the key. */
const userOf = (request: IncomingMessage) => /(?:^|; )user=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];

const asUser = (userId: string) => ({ authorization: `Bearer ${key}`, 'x-on-behalf-of': userId });

/** A message from the page becomes a run; the page gets its name. */
async function ask(userId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { thread, message } = (await json(request)) as { thread: string; message: string };
  const answer = await fetch(`${kith}/api/v1/agent/runs`, {
    method: 'POST',
    headers: { ...asUser(userId), 'content-type': 'application/json' },
    body: JSON.stringify({
      threadId: thread,
      runId: randomUUID(),
      messages: [{ id: randomUUID(), role: 'user', content: message }],
      // What your business knows and the model may use. Identity never comes from here.
      context: [{ description: 'shop', value: 'The user looks at order 4711.' }],
    }),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' });
  response.end(await answer.text());
}

/** The run's events, byte for byte; whoever reconnects here resumes there. */
async function events(userId: string, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { thread = '', run = '' } = Object.fromEntries(url.searchParams);
  const lastSeen = request.headers['last-event-id'];
  const leaving = new AbortController();
  response.on('close', () => leaving.abort());
  const path = `/api/v1/agent/runs/${encodeURIComponent(thread)}/events?runId=${encodeURIComponent(run)}`;
  const stream = await fetch(kith + path, {
    headers: { ...asUser(userId), ...(typeof lastSeen === 'string' ? { 'last-event-id': lastSeen } : {}) },
    signal: leaving.signal,
  });
  const type = stream.headers.get('content-type') ?? 'application/problem+json';
  response.writeHead(stream.status, { 'content-type': type, 'cache-control': 'no-cache', 'x-accel-buffering': 'no' });
  if (stream.body) await pipeline(stream.body, response);
  else response.end();
}

createServer(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const userId = userOf(request);
  try {
    if (!userId) response.writeHead(401).end();
    else if (request.method === 'POST' && url.pathname === '/ask') await ask(userId, request, response);
    else if (request.method === 'GET' && url.pathname === '/events') await events(userId, url, request, response);
    else response.writeHead(404).end();
  } catch {
    // The reader left, or Kith is away: either way the page tries again.
    if (!response.headersSent) response.writeHead(502);
    response.end();
  }
}).listen(8080, () => console.log('http://localhost:8080, talking to', kith));
