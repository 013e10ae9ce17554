import { createHash } from 'node:crypto';
import { Agent, get } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { testKith } from '../../../test/kith.ts';
import { growLog, openStreams, stalledReader } from '../../../test/slow-readers.ts';
import { eventsOf, eventsPath, readSome, startRun } from '../../../test/wire.ts';
import { startSimulator } from '../../simulator/index.ts';

const simulator = await startSimulator();
afterAll(() => simulator.close());
const kith = await testKith({
  config: {
    server: { rateLimit: { max: 1_000_000 } },
    events: { maxReaderBacklogBytes: 256 * 1024, keepAliveSeconds: 600 },
    runs: { graceSeconds: 1 },
  },
  options: { simulator },
  ownDatabase: true,
});
const alice = kith.as('alice');

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

test('a reader that stops reading is let go, and the server does not hold what it did not take', async () => {
  simulator.control.reset();
  simulator.control.next({ latencyMs: 60_000 });
  const run = await startRun(alice, '你好');
  const before = heapAfterCollection();
  const sockets = Array.from({ length: 30 }, () => stalledReader(kith.url, eventsPath(run)));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  await eventually(async () => expect(await openStreams(alice)).toBe(30));
  await eventually(async () => {
    await growLog(kith.database, run, 20, 25_000);
    expect(await openStreams(alice)).toBe(0);
  }, 45_000);
  // Many megabytes have passed each of the thirty.
  expect(heapAfterCollection() - before).toBeLessThan(60 * 1024 * 1024);
  const again = await readSome(
    (signal) => alice.fetch(eventsPath(run), { signal, headers: { 'last-event-id': '2-0' } }),
    200,
  );
  expect(again.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, index) => `${index + 3}-0`));
  await alice.post(`/api/v1/agent/runs/${run.threadId}/cancel`);
}, 120_000);

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
