import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../src/db/index.ts';

declare module 'vitest' {
  interface ProvidedContext {
    databaseKind: 'embedded' | 'postgres';
    /** One embedded server per pool worker: files of one worker run after each other, each on emptied tables. */
    socketFolders: string[];
    /** The throwaway PostgreSQL: each file gets a database of its own. */
    serverUrl: string;
  }
}

export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'kith-test-'));
  const servers = await Promise.all(['1', '2'].map((name) => startEmbedded(join(folder, name))));
  project.provide('databaseKind', 'embedded');
  project.provide(
    'socketFolders',
    servers.map((server) => server.socketFolder),
  );
  return async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
}
