import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { Config } from '../../server/src/config/index.ts';
import { type Kith, startKith } from '../../server/src/main.ts';
import { createLog } from '../../server/src/observability/index.ts';

export interface ConsoleServer {
  url: string;
  kith(): Kith;
  /** Stops the whole server and starts it again, on the same data and the same port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** A request of one user, past the page. */
  ask(userId: string, method: string, path: string, body?: unknown): Promise<Response>;
}

type Settings = (typeof Config)['_zod']['input'];

/** A server as people start it: embedded database, built-in simulator, built console; closed after the file. */
export async function consoleServer(settings: Settings = {}, simulator?: { url: string }): Promise<ConsoleServer> {
  const home = mkdtempSync(join(tmpdir(), 'kith-console-'));
  const port = await freePort();
  const config = Config.parse({ ...settings, home, server: { port, ...settings.server } });
  const options = { log: createLog('silent'), environment: {}, consoleFolder: inject('consoleFolder'), simulator };
  const launch = () => startKith(config, options);
  let kith = await launch();
  const url = `http://127.0.0.1:${port}`;
  afterAll(async () => {
    await kith.close();
    rmSync(home, { recursive: true, force: true });
  });
  return {
    url,
    kith: () => kith,
    stop: () => kith.close(),
    async start() {
      kith = await launch();
    },
    async restart() {
      await kith.close();
      kith = await launch();
    },
    ask: (userId, method, path, body) =>
      fetch(new URL(path, url), {
        method,
        headers: { 'x-user-id': userId, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
  };
}

/** One that stays the same over a restart, which 0 would not. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
