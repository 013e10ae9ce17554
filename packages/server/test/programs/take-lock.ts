import { once } from 'node:events';
import { takeLock } from '../../src/db/embedded/lock.ts';

/** Waits for a word, tries for the lock of a folder, says what came of it, and holds it until its input ends. */
const [folder = ''] = process.argv.slice(2);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
try {
  takeLock(folder, folder);
  process.stdout.write('won\n');
} catch (error) {
  process.stdout.write(`refused ${error instanceof Error ? error.message : ''}\n`);
}
await once(process.stdin.resume(), 'end');
