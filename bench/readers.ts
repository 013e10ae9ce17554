import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Config } from '../packages/server/src/config/index.ts';
import { startKith } from '../packages/server/src/main.ts';
import { createLog } from '../packages/server/src/observability/index.ts';
import { startSimulator } from '../packages/server/src/simulator/index.ts';
import type { ReaderOrder, ReaderReport } from './readers-client.ts';

/** What an idle reader of `GET …/events` costs the server, and how fast many of them hear the same thing. */

const COUNTS = [0, 500, 1000, 2000];

function collected(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage();
}

/** Readers in another process; each order is answered once it is carried out. */
function startReaders() {
  const child = fork(fileURLToPath(new URL('readers-client.ts', import.meta.url)));
  const next = () =>
    new Promise<ReaderReport>((resolve) => child.once('message', (report: ReaderReport) => resolve(report)));
  return {
    open: (order: ReaderOrder) => {
      child.send(order);
      return next();
    },
    told: next,
    stop: () => child.kill(),
  };
}

async function main(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'kith-readers-'));
  const simulator = await startSimulator({ latency: { latencyMs: 600_000 } });
  const config = Config.parse({ home, server: { port: 0, rateLimit: { max: 1_000_000 } } });
  const kith = await startKith(config, { log: createLog('silent'), simulator });
  const readers = startReaders();
  const run = { threadId: randomUUID(), runId: randomUUID() };
  const messages = [{ id: randomUUID(), role: 'user' as const, content: '你好' }];
  await kith.rooms.runs.submit({ userId: 'bench', input: { ...run, messages } });
  const path = `/api/v1/agent/runs/${run.threadId}/events?runId=${run.runId}`;

  console.log('readers      rss MB     heap MB   rss kB/reader  heap kB/reader');
  let first: { rss: number; heap: number } | undefined;
  for (const count of COUNTS) {
    await readers.open({ open: count, url: kith.url ?? '', path });
    const { rss, heapUsed, external } = collected();
    const now = { rss, heap: heapUsed + external };
    first ??= now;
    const each = (bytes: number) => (count === 0 ? '-' : (bytes / count / 1024).toFixed(1));
    const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
    const cells = [
      count,
      megabytes(now.rss),
      megabytes(now.heap),
      each(now.rss - first.rss),
      each(now.heap - first.heap),
    ];
    console.log(cells.map((cell) => String(cell).padStart(11)).join(' '));
  }

  const started = performance.now();
  const told = readers.told();
  await kith.rooms.runs.cancel('bench', run.threadId, run.runId);
  await told;
  console.log(`one event, to the last of ${COUNTS.at(-1)} readers: ${(performance.now() - started).toFixed(0)} ms`);

  readers.stop();
  await kith.close();
  await simulator.close();
  rmSync(home, { recursive: true, force: true });
}

await main();
