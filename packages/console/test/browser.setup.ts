import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** The tests look at the console as it ships: built, compressed, under the server's own headers. */
export async function setup(): Promise<void> {
  await build({ root: fileURLToPath(new URL('..', import.meta.url)), logLevel: 'warn' });
}
