import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { testDatabaseAddress } from '../../../test/database.ts';
import { eventually } from '../../../test/eventually.ts';
import { testKith } from '../../../test/kith.ts';
import { ask, eventsOf, eventsPath, type Frame, framesOf, startRun } from '../../../test/wire.ts';
import { Config } from '../../config/index.ts';
import { type Kith, startKith } from '../../main.ts';
import { createLog } from '../../observability/index.ts';
import { startSimulator } from '../../simulator/index.ts';

const simulator = await startSimulator();
afterAll(() => simulator.close());
const kith = await testKith({
  config: { server: { rateLimit: { max: 1_000_000 } }, events: { maxReaderBacklogBytes: 256 * 1024 } },
  options: { simulator },
});
const alice = kith.as('alice');

/** A server that can be stopped in the middle of everything and started again on the same data. */
async function restartable() {
  const database = await testDatabaseAddress();
  const home = mkdtempSync(join(tmpdir(), 'kith-restart-'));
  const config = Config.parse({
    home,
    server: { port: 0, rateLimit: { max: 1_000_000 } },
    runs: { graceSeconds: 0.05, sweepSeconds: 0.1, leaseSeconds: 5 },
  });
  const start = () => startKith(config, { log: createLog('silent'), database, simulator });
  let server: Kith = await start();
  onTestFinished(async () => {
    await server.close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    fetch: (path: string, init: RequestInit = {}) =>
      fetch(new URL(path, server.url ?? ''), {
        ...init,
        headers: { 'x-user-id': 'alice', 'content-type': 'application/json', ...init.headers },
      }),
    restart: async () => {
      await server.close();
      server = await start();
    },
  };
}

/** Reads some frames and hangs up. Says whether the stream had ended by then. */
async function readSome(fetchEvents: (signal: AbortSignal) => Promise<Response>, count: number) {
  const hangUp = new AbortController();
  const frames: Frame[] = [];
  try {
    for await (const frame of framesOf(await fetchEvents(hangUp.signal))) {
      frames.push(frame);
      if (frames.length === count) break;
    }
  } catch (error) {
    if (frames.length === 0 && !(error instanceof TypeError)) throw error;
  }
  hangUp.abort();
  return frames;
}

const isLast = (frame: Frame | undefined) => frame?.event === 'RUN_FINISHED' || frame?.event === 'RUN_ERROR';

test('a reader that is cut off after any frame, again and again, also by restarts, misses nothing and gets nothing twice', async () => {
  const server = await restartable();
  const cut = fc.record({
    frames: fc.integer({ min: 1, max: 6 }),
    restart: fc.constantFrom(false, false, false, true),
  });
  const question = fc.constantFrom('bench: 30 tokens', '帮我查一下我明天的日程', '安排明天下午三点开会');
  await fc.assert(
    fc.asyncProperty(question, fc.array(cut, { maxLength: 5 }), async (content, cuts) => {
      simulator.control.reset();
      for (let call = 0; call < 6; call++) simulator.control.next({ chunkDelayMs: 15 });
      const input = ask(content);
      await server.fetch('/api/v1/agent/runs', { method: 'POST', body: JSON.stringify(input) });
      const seen: Frame[] = [];
      const waiting = [...cuts];
      for (let attempt = 0; attempt < 60 && !isLast(seen.at(-1)); attempt++) {
        const next = waiting.shift();
        const after = seen.at(-1)?.id;
        const open = (signal: AbortSignal) =>
          server.fetch(eventsPath(input), { signal, ...(after ? { headers: { 'last-event-id': after } } : {}) });
        seen.push(...(await readSome(open, next?.frames ?? Number.POSITIVE_INFINITY)));
        if (next?.restart && !isLast(seen.at(-1))) await server.restart();
      }
      const whole = await Array.fromAsync(framesOf(await server.fetch(eventsPath(input))));
      expect(seen.map(({ text }) => text)).toEqual(whole.map(({ text }) => text));
      expect(isLast(whole.at(-1))).toBe(true);
    }),
    { numRuns: 12, interruptAfterTimeLimit: 90_000 },
  );
}, 180_000);

/** Reads a stream without keeping it: only how many frames there were, and what they were as a whole. */
function digest(user: string, path: string, agent: Agent): Promise<{ frames: number; hash: string }> {
  return new Promise((resolve, reject) => {
    const request = get(new URL(path, kith.url), { agent, headers: { 'x-user-id': user } }, (response) => {
      const hash = createHash('sha1');
      let frames = 0;
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const parts = `${rest}${chunk}`.split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) {
          if (part.startsWith(':')) continue;
          hash.update(part);
          frames++;
        }
      });
      response.on('end', () => resolve({ frames, hash: hash.digest('hex') }));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

test('two thousand readers of a run of two hundred events all get every one of them', async () => {
  simulator.control.reset();
  simulator.control.next({ chunkDelayMs: 35 });
  const run = await startRun(alice, 'bench: 560 tokens');
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  const readers = await Promise.all(Array.from({ length: 2000 }, () => digest('alice', eventsPath(run), agent)));
  const frames = await eventsOf(alice, run);
  const hash = createHash('sha1');
  for (const { text } of frames) hash.update(text);
  const expected = { frames: frames.length, hash: hash.digest('hex') };
  expect(frames.length).toBeGreaterThanOrEqual(200);
  expect(readers.filter((reader) => reader.hash !== expected.hash)).toEqual([]);
  expect(readers).toHaveLength(2000);
}, 180_000);

const openStreams = async () => {
  const metrics = await (await alice.fetch('/metrics')).text();
  return Number(/^kith_stream_readers (\d+)$/m.exec(metrics)?.[1]);
};

/** Makes a run's log grow without a model: many events, each of some size. */
async function growLog(run: { threadId: string; runId: string }, count: number, size: number): Promise<void> {
  const { sql } = kith.database;
  await sql`
    with grown as (
      update sessions set event_head = event_head + ${count} where user_id = 'alice' and thread_id = ${run.threadId}
      returning id, event_head - ${count} as base
    )
    insert into run_events (session_id, seq, run_id, attempt, type, payload)
    select id, base + place, ${run.runId}, 1, 'REASONING_MESSAGE_CONTENT', jsonb_build_object(
      'type', 'REASONING_MESSAGE_CONTENT', 'threadId', ${run.threadId}::text, 'runId', ${run.runId}::text,
      'messageId', 'm', 'delta', repeat('x', ${size}))
    from grown, generate_series(1, ${count}) as place`;
}

test('a reader that stops reading is let go, and the server does not hold what it did not take', async () => {
  simulator.control.reset();
  simulator.control.next({ latencyMs: 60_000 });
  const run = await startRun(alice, '你好');
  const before = heapAfterCollection();
  const sockets = Array.from({ length: 30 }, () => stalledReader(eventsPath(run)));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await eventually(async () => expect(await openStreams()).toBe(30));
  for (let round = 0; round < 25; round++) await growLog(run, 20, 50_000);
  await eventually(async () => expect(await openStreams()).toBe(0), 30_000);
  // 25 MB have passed each of the thirty.
  expect(heapAfterCollection() - before).toBeLessThan(60 * 1024 * 1024);
  const again = await readSome(
    (signal) => alice.fetch(eventsPath(run), { signal, headers: { 'last-event-id': '2-0' } }),
    400,
  );
  expect(again.map(({ id }) => id)).toEqual(Array.from({ length: 400 }, (_, index) => `${index + 3}-0`));
  await alice.post(`/api/v1/agent/runs/${run.threadId}/cancel`);
}, 120_000);

function stalledReader(path: string) {
  const { hostname, port } = new URL(kith.url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-User-Id: alice\r\n\r\n`);
  socket.pause();
  return socket;
}

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('when the server stops, streams end and the AG-UI client is told', async () => {
  simulator.control.reset();
  simulator.control.next({ latencyMs: 60_000 });
  const server = await restartable();
  const input = ask('你好', randomUUID());
  const streaming = server.fetch('/api/v1/agent/agui', { method: 'POST', body: JSON.stringify(input) });
  const frames = Array.fromAsync(framesOf(await streaming));
  await server.restart();
  expect((await frames).at(-1)?.data).toMatchObject({ type: 'RUN_ERROR', code: 'STREAM_INTERRUPTED' });
});
