import { afterAll } from 'vitest';
import type { z } from 'zod';
import { Config } from '../src/config/index.ts';
import type { Database } from '../src/db/index.ts';
import { type App, createApp, type Routes } from '../src/http/index.ts';
import { createIdentity, createServiceKeys, type Identity } from '../src/identity/index.ts';
import { createLog, createMetrics } from '../src/observability/index.ts';
import { testDatabase } from './database.ts';

export interface TestApp {
  app: App;
  identity: Identity;
  database: Database;
  /** Every line it has logged. */
  logged: string[];
  /** Tells it that the server is about to stop. */
  drain(): void;
}

/** The HTTP side alone, with routes of the test's own: for what holds for every route. */
export async function testApp(
  given: { config?: z.input<typeof Config>; routes?: Routes[]; consoleFolder?: string; now?: () => Date } = {},
): Promise<TestApp> {
  const config = Config.parse(given.config ?? {});
  const database = await testDatabase();
  const serviceKeys = createServiceKeys(database);
  const identity = createIdentity({ auth: config.auth, serviceKeys, ...(given.now ? { now: given.now } : {}) });
  const logged: string[] = [];
  const stopping = new AbortController();
  const app = await createApp({
    config,
    identity,
    log: createLog('debug', { write: (line) => logged.push(line) }),
    metrics: createMetrics(),
    routes: given.routes ?? [],
    health: { draining: stopping.signal, checkDatabase: () => database.sql`select 1` },
    consoleFolder: given.consoleFolder ?? '/nowhere',
  });
  afterAll(() => app.close());
  return { app, identity, database, logged, drain: () => stopping.abort() };
}
