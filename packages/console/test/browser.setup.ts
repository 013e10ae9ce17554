import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the console was built for these tests. */
    consoleFolder: string;
  }
}

/** The tests look at the console as it ships: built for production, compressed, under the server's own headers. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-dist-'));
  // A process of its own, because this one is a test's: React would be built with its checks for developers.
  await promisify(execFile)('npx', ['vite', 'build', '--logLevel', 'warn', '--emptyOutDir', '--outDir', folder], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, NODE_ENV: 'production' },
  });
  project.provide('consoleFolder', folder);
  return () => rm(folder, { recursive: true });
}
