import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '../../errors/index.ts';

/**
 * One server a folder. The lock is a file `lock.<generation>`; the highest generation counts. A dead holder's lock is
 * taken over by creating the next generation, which the file system lets only one process do; a released lock stays as
 * an empty file, so that generations never start again while somebody still looks at an older one.
 */
export interface FolderLock {
  release(): void;
}

interface Holder {
  pid: number;
  /** When the process started, in the kernel's ticks: a reused pid is somebody else. */
  born: string | null;
  /** Where its database listens. */
  socketFolder: string;
}

export function takeLock(folder: string, socketFolder: string): FolderLock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const current = highest(folder);
    const holder = current > 0 ? readHolder(folder, current) : undefined;
    if (holder && isAlive(holder)) throw lockedBy(folder, holder);
    const mine = current + 1;
    if (!create(folder, mine, { pid: process.pid, born: birthOf(process.pid), socketFolder })) continue;
    if (highest(folder) !== mine) {
      // Someone slow, who looked long ago, may create an old generation again: it gives way.
      rmSync(fileOf(folder, mine), { force: true });
      continue;
    }
    for (const generation of generations(folder))
      if (generation < mine) rmSync(fileOf(folder, generation), { force: true });
    return { release: () => writeFileSync(fileOf(folder, mine), '') };
  }
}

/** The live server of a folder, if there is one. */
export function liveHolder(folder: string): Holder | undefined {
  const current = highest(folder);
  const holder = current > 0 ? readHolder(folder, current) : undefined;
  return holder && isAlive(holder) ? holder : undefined;
}

const fileOf = (folder: string, generation: number) => join(folder, `lock.${generation}`);

function generations(folder: string): number[] {
  try {
    return readdirSync(folder)
      .map((name) => /^lock\.(\d+)$/.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number);
  } catch {
    return [];
  }
}
const highest = (folder: string) => Math.max(0, ...generations(folder));

/** The file appears with its content or not at all: an empty one would read as released. */
function create(folder: string, generation: number, holder: Holder): boolean {
  const draft = join(folder, `.lock-${process.pid}-${generation}`);
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(draft, fileOf(folder, generation));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readHolder(folder: string, generation: number): Holder | undefined {
  try {
    const text = readFileSync(fileOf(folder, generation), 'utf8');
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return holder.born === null || birthOf(holder.pid) === null || holder.born === birthOf(holder.pid);
}

function birthOf(pid: number): string | null {
  try {
    // The command name may hold spaces and brackets: count fields after its closing one.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function lockedBy(folder: string, holder: Holder) {
  return errors.DATABASE_LOCKED({
    detail: `${folder} is in use by the server with process id ${holder.pid}. Stop that one, or give this one a folder of its own with KITH_HOME.`,
  });
}
