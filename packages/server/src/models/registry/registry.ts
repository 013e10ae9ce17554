import type { PriceCatalog } from '../../billing/index.ts';
import type { Sql } from '../../db/index.ts';
import type { Log } from '../../observability/index.ts';
import type { Snapshot } from './entities.ts';
import { loadSnapshot, readVersion } from './snapshot.ts';

/** The registry in memory: read whole, used without asking, read again when it has changed. */
export interface Registry {
  current(): Snapshot;
  /** Reads it now; for whoever has just changed it. */
  refresh(): Promise<void>;
  stop(): void;
}

export interface RegistryOptions {
  sql: Sql;
  catalog: PriceCatalog;
  log: Log;
  /** How often this process looks whether another one has changed it; 0: never. */
  pollMs: number;
  /** What this process knows better than the database, such as where its own simulator listens. */
  overlay: (snapshot: Snapshot) => Snapshot;
  /** Runs after every look at the registry, with what is in use now. */
  onLook: (snapshot: Snapshot, changed: boolean) => Promise<void>;
}

export async function openRegistry(options: RegistryOptions): Promise<Registry> {
  const { sql, catalog, log, overlay } = options;
  const load = async () => overlay(await loadSnapshot(sql, catalog, log));
  let snapshot = await load();
  let reading = Promise.resolve();
  const refresh = () => {
    // One after the other, so that an older reading never replaces a newer one.
    reading = reading
      .catch(() => {})
      .then(async () => {
        snapshot = await load();
        await options.onLook(snapshot, true);
      });
    return reading;
  };
  const poll = async () => {
    if ((await readVersion(sql)) === snapshot.version) await options.onLook(snapshot, false);
    else await refresh();
  };
  const timer =
    options.pollMs > 0
      ? setInterval(() => {
          poll().catch((error: unknown) => log.warn({ err: error }, 'the registry could not be read'));
        }, options.pollMs)
      : undefined;
  timer?.unref();
  await options.onLook(snapshot, true);
  return { current: () => snapshot, refresh, stop: () => clearInterval(timer) };
}
