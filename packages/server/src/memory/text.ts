import { createHash } from 'node:crypto';

/** Text as PostgreSQL can keep it: without U+0000 and without half a surrogate pair. */
export const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

/** At most so many code points, with a sign that there was more. */
export function cut(text: string, limit: number): string {
  // A string is never shorter in code units than in code points.
  if (text.length <= limit) return text;
  const points = [...text];
  if (points.length <= limit) return text;
  return limit > 0 ? `${points.slice(0, limit - 1).join('')}…` : '';
}

/** Two statements with the same fingerprint say the same: case, width, spaces and a closing mark do not count. */
export function fingerprintOf(statement: string): string {
  const plain = statement
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/[\s.。!?,;…~]+$/u, '')
    .trim();
  return createHash('sha256').update(plain).digest('base64url');
}
