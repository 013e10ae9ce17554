import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Config } from '../packages/server/src/config/index.ts';
import { startKith } from '../packages/server/src/main.ts';
import { createLog } from '../packages/server/src/observability/index.ts';
import { startSimulator } from '../packages/server/src/simulator/index.ts';

/** What an idle reader of `GET …/events` costs the server, and how fast many of them hear the same thing. */

const COUNTS = [0, 500, 1000, 2000];

function collected(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage();
}

/** A reader of a few hundred bytes on our own side, so that the server's share is what is seen. */
async function openReader(url: URL, path: string, onFrame: () => void): Promise<Socket> {
  const socket = createConnection({ host: url.hostname, port: Number(url.port) });
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\nX-User-Id: bench\r\n\r\n`);
  socket.on('data', (chunk) => {
    if (chunk.includes('RUN_ERROR')) onFrame();
  });
  await once(socket, 'data');
  return socket;
}

const home = mkdtempSync(join(tmpdir(), 'kith-readers-'));
const simulator = await startSimulator({ latency: { latencyMs: 600_000 } });
const config = Config.parse({ home, server: { port: 0, rateLimit: { max: 1_000_000 } } });
const kith = await startKith(config, { log: createLog('warn'), simulator });
const url = new URL(kith.url ?? '');
const run = { threadId: randomUUID(), runId: randomUUID() };
await kith.rooms.runs.submit({
  userId: 'bench',
  input: { ...run, messages: [{ id: randomUUID(), role: 'user', content: '你好' }] },
});
const path = `/api/v1/agent/runs/${run.threadId}/events?runId=${run.runId}`;

const sockets: Socket[] = [];
let told = 0;
const memory: { readers: number; rss: number; heap: number }[] = [];
for (const count of COUNTS) {
  while (sockets.length < count) sockets.push(await openReader(url, path, () => told++));
  const { rss, heapUsed, external } = collected();
  memory.push({ readers: count, rss, heap: heapUsed + external });
}

const started = performance.now();
await kith.rooms.runs.cancel('bench', run.threadId, run.runId);
while (told < sockets.length) await new Promise((resolve) => setImmediate(resolve));
const spread = performance.now() - started;

const [first] = memory;
console.log('readers      rss MB     heap MB   rss kB/reader  heap kB/reader');
for (const { readers, rss, heap } of memory) {
  const each = (bytes: number, base: number) => (readers === 0 ? '-' : ((bytes - base) / readers / 1024).toFixed(1));
  const cells = [
    readers,
    (rss / 2 ** 20).toFixed(1),
    (heap / 2 ** 20).toFixed(1),
    each(rss, first?.rss ?? 0),
    each(heap, first?.heap ?? 0),
  ];
  console.log(cells.map((cell) => String(cell).padStart(11)).join(' '));
}
console.log(
  `one event to ${sockets.length} readers: ${spread.toFixed(0)} ms (both ends of every connection are in this process)`,
);

for (const socket of sockets) socket.destroy();
await kith.close();
await simulator.close();
rmSync(home, { recursive: true, force: true });
