import { fileURLToPath } from 'node:url';
import type { Rooms } from './compose.ts';
import type { Config, Environment } from './config/index.ts';
import { type Database, type DatabaseAddress, openDatabase, startEmbedded } from './db/index.ts';
import { errors } from './errors/index.ts';
import type { App } from './http/index.ts';
import { refuseOpenDevAuth } from './identity/index.ts';
import { createLog, createMetrics, type Log } from './observability/index.ts';

export interface StartOptions {
  log?: Log;
  /** A database that runs already, instead of the one that the configuration names. */
  database?: DatabaseAddress;
  /** Where the built console is. */
  consoleFolder?: string;
  /** Names keys of vendors and stores; the process's own by default. */
  environment?: Environment;
  /** A simulator that runs already. */
  simulator?: { url: string };
  now?: () => Date;
}

export interface Kith {
  /** Where it listens; null for a process without the api role. */
  url: string | null;
  config: Config;
  database: Database;
  rooms: Rooms;
  /** Drains, then stops. */
  close(): Promise<void>;
}

/** The process: config → database → rooms → http. What was started is stopped in the opposite order. */
export async function startKith(config: Config, options: StartOptions = {}): Promise<Kith> {
  refuseOpenDevAuth(config);
  const log = options.log ?? createLog(config.server.logLevel);
  const metrics = createMetrics();
  const stopping = new AbortController();
  const stack = new AsyncDisposableStack();
  try {
    // The rooms are loaded while the database starts in a thread of its own: that is a third of the way to being ready.
    const loading = Promise.all([import('./compose.ts'), import('./http/index.ts')]);
    const database = await openDatabaseOf(config, options.database, stack);
    const [{ compose }, { createApp, routesOf }] = await loading;
    const { simulator, now, environment = process.env } = options;
    const rooms = await compose({
      config,
      environment,
      database,
      log,
      metrics,
      ...(simulator ? { simulator } : {}),
      ...(now ? { now } : {}),
    });
    stack.defer(() => rooms.close());
    await rooms.start();
    stack.defer(() => rooms.drain());
    let url: string | null = null;
    if (config.roles.includes('api')) {
      const app = await createApp({
        config,
        log,
        metrics,
        identity: rooms.identity,
        routes: routesOf(rooms),
        health: { draining: stopping.signal, checkDatabase: () => database.sql`select 1` },
        consoleFolder: options.consoleFolder ?? fileURLToPath(new URL('../../console/dist', import.meta.url)),
      });
      stack.defer(() => closeWithin(app, config.runs.graceSeconds * 1000));
      url = await listen(app, config.server);
    }
    let closed: Promise<void> | undefined;
    return {
      url,
      config,
      database,
      rooms,
      close: () => {
        stopping.abort();
        closed ??= stack.disposeAsync();
        return closed;
      },
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function openDatabaseOf(config: Config, given: DatabaseAddress | undefined, stack: AsyncDisposableStack) {
  const address = given ?? (await addressOf(config, stack));
  const database = await openDatabase(address);
  stack.defer(() => database.close());
  return database;
}

async function addressOf(config: Config, stack: AsyncDisposableStack): Promise<DatabaseAddress> {
  const { url, poolSize } = config.database;
  if (url) return { kind: 'server', url, poolSize };
  const server = await startEmbedded(config.home);
  stack.defer(() => server.stop());
  return { kind: 'embedded', socketFolder: server.socketFolder };
}

async function listen(app: App, { host, port }: Config['server']): Promise<string> {
  try {
    // When a page goes out to many, they all connect at once.
    return await app.listen({ host, port, backlog: 4096 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    throw errors.ADDRESS_IN_USE({
      detail: `port ${port} on ${host} is in use by another program. Stop that one, or give this one a port of its own with PORT.`,
    });
  }
}

/** Requests under way get their time; a stream that does not end itself is cut. */
async function closeWithin(app: App, milliseconds: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), milliseconds);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}
