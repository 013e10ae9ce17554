import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { testDatabaseAddress } from '../../../test/database.ts';
import { ask, eventsPath, type Frame, framesOf, readSome } from '../../../test/wire.ts';
import { Config } from '../../config/index.ts';
import { type Kith, startKith } from '../../main.ts';
import { createLog } from '../../observability/index.ts';
import { startSimulator } from '../../simulator/index.ts';

const simulator = await startSimulator();
afterAll(() => simulator.close());

/** A server that can be stopped in the middle of everything and started again on the same data. */
async function restartable({ graceSeconds }: { graceSeconds: number }) {
  const database = await testDatabaseAddress();
  const home = mkdtempSync(join(tmpdir(), 'kith-restart-'));
  const config = Config.parse({
    home,
    server: { port: 0, rateLimit: { max: 1_000_000 } },
    runs: { graceSeconds, sweepSeconds: 0.1, leaseSeconds: 5 },
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

const isLast = (frame: Frame | undefined) => frame?.event === 'RUN_FINISHED' || frame?.event === 'RUN_ERROR';

test('a reader that is cut off after any frame, again and again, also by restarts, misses nothing and gets nothing twice', async () => {
  const server = await restartable({ graceSeconds: 0.05 });
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

test('when the server stops, streams end and the AG-UI client is told', async () => {
  simulator.control.reset();
  simulator.control.next({ latencyMs: 60_000 });
  const server = await restartable({ graceSeconds: 1 });
  const input = ask('你好');
  const streaming = server.fetch('/api/v1/agent/agui', { method: 'POST', body: JSON.stringify(input) });
  const frames = Array.fromAsync(framesOf(await streaming));
  await server.restart();
  expect((await frames).at(-1)?.data).toMatchObject({ type: 'RUN_ERROR', code: 'STREAM_INTERRUPTED' });
});
