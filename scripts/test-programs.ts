import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.ts';

/** What the tests need beside npm's packages, and where a program of it shows that it is there. */
const needed = [
  { debianPackage: 'postgresql', program: 'initdb', folders: postgresFolders() },
  { debianPackage: 'redis-server', program: 'redis-server', folders: [] },
  { debianPackage: 'chromium', program: 'chromium', folders: [] },
];

/** Installs what is missing where that can be done; a sentence about what to do where it cannot. */
export function ensureTestPrograms(): boolean {
  const missing = needed.filter(({ program, folders }) => !isThere(program, folders)).map((one) => one.debianPackage);
  if (missing.length === 0) return true;
  const isRoot = process.getuid?.() === 0;
  if (isRoot && isThere('apt-get', [])) {
    const quiet = { DEBIAN_FRONTEND: 'noninteractive' };
    if (
      run('apt-get', ['update'], quiet) &&
      run('apt-get', ['install', '-y', '--no-install-recommends', ...missing], quiet)
    ) {
      return true;
    }
  }
  process.stderr.write(
    `\nThe tests run against real servers and a real browser. Missing: ${missing.join(', ')}.\n` +
      `On Debian or Ubuntu: sudo apt-get install ${missing.join(' ')}\n`,
  );
  return false;
}

function isThere(program: string, folders: readonly string[]): boolean {
  return [...folders, ...(process.env.PATH ?? '').split(':')].some((folder) => existsSync(join(folder, program)));
}

/** Debian keeps PostgreSQL's server programs out of the PATH. */
function postgresFolders(): string[] {
  const debian = '/usr/lib/postgresql';
  return existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : [];
}
