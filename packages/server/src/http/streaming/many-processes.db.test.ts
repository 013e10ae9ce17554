import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { testDatabaseAddress } from '../../../test/database.ts';
import { startRedis } from '../../../test/redis-server.ts';
import { ask, eventsPath, framesOf } from '../../../test/wire.ts';
import { Config } from '../../config/index.ts';
import { startKith } from '../../main.ts';
import { createLog } from '../../observability/index.ts';
import { startSimulator } from '../../simulator/index.ts';

const redis = await startRedis();
const simulator = await startSimulator();
const database = await testDatabaseAddress();
const home = mkdtempSync(join(tmpdir(), 'kith-many-'));
const start = (roles: ('api' | 'worker' | 'scheduler')[]) => {
  const config = Config.parse({
    home,
    roles,
    server: { port: 0 },
    redis: { url: redis.url },
    runs: { sweepSeconds: 0.5, graceSeconds: 1 },
  });
  return startKith(config, { log: createLog('silent'), database, simulator });
};
const worker = await start(['worker', 'scheduler']);
const apis = [await start(['api']), await start(['api'])];
afterAll(async () => {
  await Promise.all([worker, ...apis].map((each) => each.close()));
  await Promise.all([redis.stop(), simulator.close()]);
  rmSync(home, { recursive: true, force: true });
});

const send = (api: number, path: string, init: RequestInit = {}) =>
  fetch(new URL(path, apis[api]?.url ?? ''), {
    ...init,
    headers: { 'x-user-id': 'alice', 'content-type': 'application/json' },
  });

const idsFrom1 = (frames: readonly { id: string | undefined }[]) => frames.map((_, index) => `${index + 1}-0`);

test('a run asked for at one process, worked on in a second, is read live at a third', async () => {
  simulator.control.next({ chunkDelayMs: 20 });
  const input = ask('bench: 60 tokens');
  expect((await send(0, '/api/v1/agent/runs', { method: 'POST', body: JSON.stringify(input) })).status).toBe(202);
  const started = performance.now();
  let firstText = 0;
  const frames = [];
  for await (const frame of framesOf(await send(1, eventsPath(input)))) {
    if (frame.event === 'TEXT_MESSAGE_CONTENT' && firstText === 0) firstText = performance.now() - started;
    frames.push(frame);
  }
  expect(frames.map(({ id }) => id)).toEqual(idsFrom1(frames));
  expect(frames.at(-1)?.event).toBe('RUN_FINISHED');
  // Live, and not only when the log is asked again.
  expect(firstText).toBeLessThan(performance.now() - started - 200);
});

test('when Redis is lost with all it knows, readers go on from the log and miss nothing', async () => {
  simulator.control.next({ chunkDelayMs: 40 });
  const input = ask('bench: 120 tokens');
  await send(0, '/api/v1/agent/runs', { method: 'POST', body: JSON.stringify(input) });
  const frames = [];
  for await (const frame of framesOf(await send(1, eventsPath(input)))) {
    frames.push(frame);
    if (frames.length === 8) void redis.restart();
  }
  expect(frames.map(({ id }) => id)).toEqual(idsFrom1(frames));
  expect(frames.at(-1)?.event).toBe('RUN_FINISHED');
});
