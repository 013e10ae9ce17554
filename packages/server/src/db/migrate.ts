import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Sql } from './connection.ts';

const folder = new URL('./migrations/', import.meta.url);
/** Any number, as long as everyone who migrates a Kith database takes the same. */
const LOCK = 7_070_001;

/**
 * Brings the database to this version, or leaves it as it was. Two processes that start at once take turns, by the lock
 * on a server and by the transaction itself on the embedded database, whose clients share one backend and so its locks.
 */
export async function migrate(sql: Sql): Promise<{ applied: string[]; vector: boolean }> {
  const applied = await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${LOCK})`;
    await transaction`create table if not exists kith_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now())`;
    const rows = await transaction<{ name: string; checksum: string }[]>`select name, checksum from kith_migrations`;
    const done = new Map(rows.map((row) => [row.name, row.checksum]));
    const steps = migrations();
    const changed = steps.find(({ name, checksum }) => done.has(name) && done.get(name) !== checksum);
    if (changed) throw new Error(`migration ${changed.name} was changed after it had been applied`);
    const missing = steps.filter(({ name }) => !done.has(name));
    for (const { name, text, checksum } of missing) {
      await transaction.unsafe(text);
      await transaction`insert into kith_migrations ${transaction({ name, checksum })}`;
    }
    return missing.map(({ name }) => name);
  });
  return { applied, vector: await ensureVector(sql) };
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
  const [available] = await sql<{ installed_version: string | null }[]>`
    select installed_version from pg_available_extensions where name = 'vector'`;
  if (!available) return false;
  if (available.installed_version !== null) return true;
  try {
    await sql.begin(async (transaction) => {
      await transaction`select pg_advisory_xact_lock(${LOCK})`;
      await transaction`create extension if not exists vector`;
    });
    return true;
  } catch {
    // Making an extension may be somebody else's right on a managed server.
    return false;
  }
}
