import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, run } from './run.ts';

const page = join(root, 'packages/console');
const sources = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'];

/** Builds the web page when something it is made of is newer than it; nothing to do takes milliseconds. */
export function buildConsole(): boolean {
  if (!existsSync(join(page, 'index.html'))) return true;
  const built = timeOf(join(page, 'dist/index.html'));
  const inputs = [...sources.map((name) => join(page, name)), join(root, 'packages/protocol/src')];
  if (inputs.every((path) => newestIn(path) <= built)) return true;
  return run('npm', ['run', 'build', '-w', 'packages/console']);
}

const timeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function newestIn(path: string): number {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return timeOf(path);
  return Math.max(
    0,
    ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => timeOf(join(path, name))),
  );
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  // The server works without the page, and says on its address how to build it: a start is not stopped here.
  if (!buildConsole()) process.stderr.write('the console could not be built; the server starts without it\n');
}
