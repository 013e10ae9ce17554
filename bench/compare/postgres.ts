import postgres from 'postgres';
import { eventually } from '../../packages/server/test/eventually.ts';
import { startPostgres } from '../../packages/server/test/postgres-server.ts';

/** A PostgreSQL of the bench's own, and what it says of the work that it did. */
export interface Meter {
  version: string;
  /** A new database: an empty one, or one with Kith's tables. */
  create(name: string, kind: 'empty' | 'kith'): Promise<string>;
  walBytes(): Promise<number>;
  /** Transactions committed in a database, exact once everyone has left it: a connection tells its last ones when it ends. */
  commits(name: string): Promise<number>;
  stop(): Promise<void>;
}

export async function startMeter(): Promise<Meter> {
  const server = await startPostgres();
  const admin = postgres({ host: server.folder, username: 'postgres', database: 'postgres', max: 1 });
  // A checkpoint makes the next change of every page dearer, and a vacuum writes by itself: neither is anyone's run.
  await admin`alter system set checkpoint_timeout = '1d'`;
  await admin`alter system set max_wal_size = '20GB'`;
  await admin`alter system set autovacuum = off`;
  await admin`select pg_reload_conf()`;
  const [row] = await admin<{ server_version: string }[]>`show server_version`;
  return {
    version: row?.server_version.split(' ')[0] ?? '',
    create: async (name, kind) => {
      await admin.unsafe(`create database "${name}" template ${kind === 'kith' ? 'kith_template' : 'template0'}`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    walBytes: async () => {
      const [now] = await admin<
        { bytes: string }[]
      >`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`;
      return Number(now?.bytes);
    },
    commits: async (name) => {
      await eventually(async () => {
        const inside = await admin`select 1 from pg_stat_activity where datname = ${name}`;
        if (inside.length > 0) throw new Error(`${name} is still in use`);
      });
      const [now] = await admin<
        { xact_commit: string }[]
      >`select xact_commit from pg_stat_database where datname = ${name}`;
      return Number(now?.xact_commit);
    },
    stop: async () => {
      await admin.end();
      await server.stop();
    },
  };
}
