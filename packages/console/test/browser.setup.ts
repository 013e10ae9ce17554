import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The tests look at the console as it ships: built for production, compressed, under the server's own headers. */
export async function setup(): Promise<void> {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  // A process of its own, because this one is a test's: React would be built with its checks for developers.
  await promisify(execFile)('npx', ['vite', 'build', '--logLevel', 'warn'], {
    cwd,
    env: { ...process.env, NODE_ENV: 'production' },
  });
}
