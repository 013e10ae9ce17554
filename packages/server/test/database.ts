import { randomUUID } from 'node:crypto';
import { afterAll, inject } from 'vitest';
import { type Database, type DatabaseAddress, openDatabase } from '../src/db/index.ts';
import { withAdmin } from './postgres-server.ts';

/** A migrated, empty database on the backend of the running project; closed after the file. */
export async function testDatabase(onStatement?: (connection: number, statement: string) => void): Promise<Database> {
  const address = await testDatabaseAddress();
  const database = await openDatabase(address, onStatement ? { onStatement } : {});
  afterAll(() => database.close());
  return database;
}

/** Where that database is: for tests that start servers of their own on it. */
export async function testDatabaseAddress(): Promise<DatabaseAddress> {
  if (inject('databaseKind') === 'embedded') {
    const folders = inject('socketFolders');
    const socketFolder = folders[(Number(process.env['VITEST_POOL_ID'] ?? 1) - 1) % folders.length] ?? '';
    const address = { kind: 'embedded', socketFolder } as const;
    await emptyTables(address);
    return address;
  }
  const template = new URL(inject('serverUrl'));
  const folder = template.searchParams.get('host') ?? '';
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await withAdmin(folder, (admin) => admin.unsafe(`create database ${name} template kith_template`));
  template.pathname = `/${name}`;
  return { kind: 'server', url: template.href, poolSize: 10 };
}

async function emptyTables(address: DatabaseAddress): Promise<void> {
  const database = await openDatabase(address);
  const tables = await database.sql<{ name: string }[]>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename <> 'kith_migrations'`;
  await database.sql.unsafe(`truncate ${tables.map((table) => table.name).join(', ')} restart identity cascade`);
  await database.close();
}
