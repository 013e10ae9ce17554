import type { Sql } from '../../db/index.ts';
import type { Log } from '../../observability/index.ts';
import type { Key } from '../registry/entities.ts';

const AGAIN_AFTER_MS = 60_000;

/**
 * Writes down what a vendor said of a key, at most once a minute for the same words: a storm of calls must not become
 * one of writes. Nobody waits for it.
 */
export function keyErrorNotes(sql: Sql, log: Log, now: () => number): (key: Key, message: string) => void {
  const noted = new Map<string, { message: string; at: number }>();
  return (key, message) => {
    const last = noted.get(key.id);
    if (last?.message === message && now() - last.at < AGAIN_AFTER_MS) return;
    noted.set(key.id, { message, at: now() });
    sql`update vendor_keys set last_error = ${message.slice(0, 500)}, last_error_at = now() where id = ${key.id}`.catch(
      (error: unknown) => log.warn({ err: error }, 'the error of a key could not be noted'),
    );
  };
}
