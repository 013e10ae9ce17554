import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { migrate } from './migrate.ts';
import * as schema from './schema/index.ts';

/** int8 as a number: our counters stay far below 2^53. Money is `numeric` and stays text. */
const types = { bigint: { to: 20, from: [20], parse: Number, serialize: String } };
interface Types extends Record<string, unknown> {
  bigint: number;
}

export type Sql = postgres.Sql<Types>;
export type Transaction = postgres.TransactionSql<Types>;

export interface Database {
  kind: 'embedded' | 'server';
  /** Prepared templates: the path of a run. JSON parameters by `sql.json(value)`. */
  sql: Sql;
  /** Drizzle, for ordinary queries. It has connections of its own, because it changes how its client reads dates and JSON. */
  orm: PostgresJsDatabase<typeof schema>;
  /** Whether pgvector is there. */
  vector: boolean;
  close(): Promise<void>;
}

/** Where a database is. */
export type DatabaseAddress =
  | { kind: 'server'; url: string; poolSize: number }
  /** The folder of the embedded server's Unix socket. */
  | { kind: 'embedded'; socketFolder: string };

export interface DatabaseOptions {
  /** Sees every statement that is sent: tests count transactions with it. */
  onStatement?: (connection: number, statement: string) => void;
}

/** Opens the pools and brings the database to this version. */
export async function openDatabase(address: DatabaseAddress, options: DatabaseOptions = {}): Promise<Database> {
  const debug = options.onStatement;
  const connect = (share: number) =>
    postgres<{ bigint: postgres.PostgresType<number> }>({
      ...connectionOptions(address, share),
      types,
      onnotice: () => {},
      connection: { application_name: 'kith' },
      ...(debug ? { debug: (connection: number, statement: string) => debug(connection, statement) } : {}),
    });
  const sql = connect(1);
  const ordinary = connect(0.5);
  const close = async () => {
    await Promise.all([sql.end({ timeout: 5 }), ordinary.end({ timeout: 5 })]);
  };
  const { vector } = await migrate(sql).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    kind: address.kind,
    sql,
    orm: drizzle(ordinary, { schema }),
    vector,
    close,
  };
}

function connectionOptions(address: DatabaseAddress, share: number) {
  if (address.kind === 'embedded') {
    // One backend behind the socket: more connections would only queue there instead of here.
    return { host: address.socketFolder, port: 5432, username: 'postgres', database: 'postgres', max: 4 * share };
  }
  const url = new URL(address.url);
  const options = { max: Math.max(2, Math.ceil(address.poolSize * share)), connect_timeout: 10 };
  // A throwaway server listens on a socket folder only, which a URL carries as `?host=`.
  const folder = url.searchParams.get('host');
  if (!folder) return { ...options, ...urlParts(url) };
  return { ...options, ...urlParts(url), host: folder };
}

function urlParts(url: URL) {
  const ssl = url.searchParams.get('sslmode');
  return {
    host: url.hostname,
    port: url.port ? Number(url.port) : 5432,
    username: decodeURIComponent(url.username) || 'postgres',
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)) || 'postgres',
    ...(ssl && ssl !== 'disable'
      ? { ssl: ssl === 'verify-full' ? ('verify-full' as const) : ('require' as const) }
      : {}),
  };
}
