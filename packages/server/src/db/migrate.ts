import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Sql } from './connection.ts';

const folder = new URL('./migrations/', import.meta.url);
/** Any number, as long as everyone who migrates a Kith database takes the same. */
const LOCK = 7_070_001;

/**
 * Brings the database to this version. Two processes that start at once take turns: the second finds nothing to do.
 * Gives back whether pgvector is there.
 */
export async function migrate(sql: Sql): Promise<{ applied: string[]; vector: boolean }> {
  const connection = await sql.reserve();
  try {
    await connection`select pg_advisory_lock(${LOCK})`;
    await connection`create table if not exists kith_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
    const rows = await connection<{ name: string; checksum: string }[]>`select name, checksum from kith_migrations`;
    const done = new Map(rows.map((row) => [row.name, row.checksum]));
    const applied: string[] = [];
    for (const migration of migrations()) {
      const known = done.get(migration.name);
      if (known === undefined) {
        await connection.unsafe(
          `begin; ${migration.text}; insert into kith_migrations (name, checksum) values ('${migration.name}', '${migration.checksum}'); commit;`,
        );
        applied.push(migration.name);
      } else if (known !== migration.checksum) {
        throw new Error(`migration ${migration.name} was changed after it had been applied`);
      }
    }
    return { applied, vector: await ensureVector(connection) };
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => {});
    connection.release();
  }
}

function migrations() {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z-]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, folder), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    });
}

/** pgvector where it can be had; memory works without it, by an exact scan of the user's own rows. */
async function ensureVector(sql: Sql): Promise<boolean> {
  try {
    const [available] = await sql`select installed_version from pg_available_extensions where name = 'vector'`;
    if (!available) return false;
    if (available['installed_version'] === null) await sql`create extension if not exists vector`;
    return true;
  } catch {
    return false;
  }
}
