import { hash } from 'node:crypto';
import type { Key } from '../registry/entities.ts';

/**
 * The keys in the order in which a session tries them: weighted rendezvous hashing. A session stays with its key as
 * long as that key is there, because vendors' prompt caches are kept per account; a key that comes or goes moves only
 * the sessions that it wins or loses.
 */
export function pinnedOrder(keys: readonly Key[], session: string): readonly Key[] {
  if (keys.length < 2) return keys;
  return keys
    .map((key) => ({ key, score: score(key, session) }))
    .sort((left, right) => right.score - left.score)
    .map(({ key }) => key);
}

function score(key: Key, session: string): number {
  // A key of weight 0 is a spare: tried after all others.
  if (key.weight === 0) return 0;
  const digest = hash('sha256', `${session}\n${key.id}`, 'buffer');
  const uniform = (digest.readUIntBE(0, 6) + 1) / (2 ** 48 + 2);
  return -key.weight / Math.log(uniform);
}
