import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { openDatabase } from '../src/db/index.ts';

export interface PostgresServer {
  /** Of the database `kith_template`, which is migrated; new databases are made from it. */
  url: string;
  folder: string;
  stop(): Promise<void>;
  /** Kills the server and starts it again on the same folder. */
  restart(): Promise<void>;
}

/** A PostgreSQL of our own in a temporary folder, on a Unix socket only, gone when the tests are. */
export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPrograms();
  const folder = mkdtempSync(join(tmpdir(), 'kith-postgres-'));
  const account = serverAccount();
  if (account) chownSync(folder, account.uid, account.gid);
  const asServer = account ? { uid: account.uid, gid: account.gid } : {};
  const data = join(folder, 'data');
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...asServer, cwd: folder, stdio: 'pipe' },
  );
  const start = async () => {
    const options = [
      '-D',
      data,
      '-k',
      folder,
      '-c',
      'listen_addresses=',
      '-c',
      'fsync=off',
      '-c',
      'max_connections=300',
    ];
    const child = spawn(join(programs, 'postgres'), options, { ...asServer, cwd: folder, stdio: 'ignore' });
    await untilReady(folder);
    return child;
  };
  let child = await start();
  const halt = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill(signal);
    });
  await withAdmin(folder, (admin) => admin`create database kith_template`);
  const url = `postgres://postgres@localhost/kith_template?host=${encodeURIComponent(folder)}`;
  await (await openDatabase({ kind: 'server', url, poolSize: 2 })).close();
  return {
    url,
    folder,
    stop: async () => {
      await halt('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
    restart: async () => {
      await halt('SIGQUIT');
      child = await start();
    },
  };
}

export async function withAdmin<T>(folder: string, work: (admin: postgres.Sql) => Promise<T>): Promise<T> {
  const admin = postgres({ host: folder, username: 'postgres', database: 'postgres', max: 1, onnotice: () => {} });
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

async function untilReady(folder: string): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      await withAdmin(folder, (admin) => admin`select 1`);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Debian keeps the server programs out of the PATH. */
function findPrograms(): string {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(':'),
  ];
  const found = folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
  if (!found) throw new Error('PostgreSQL is needed for these tests: install the package `postgresql`');
  return found;
}

/** PostgreSQL refuses to run as root: borrow the account that its package made. */
function serverAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
