import { createHash, randomBytes } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { type Database, tables } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import type { UserRole } from './caller.ts';

export const SERVICE_KEY_MARK = 'ksk_';

export interface ServiceKey {
  id: string;
  label: string;
  /** Its first characters: enough to tell two keys apart, not enough to use one. */
  prefix: string;
  role: UserRole;
  created_at: string;
  revoked_at: string | null;
}

/** The only time that a key is seen. */
export interface IssuedServiceKey extends ServiceKey {
  key: string;
}

export interface ServiceKeys {
  add(label: string, role: UserRole): Promise<IssuedServiceKey>;
  list(): Promise<ServiceKey[]>;
  /** By id or by prefix. */
  revoke(idOrPrefix: string): Promise<ServiceKey>;
  /** The service behind a key, if the key is good. */
  find(key: string): Promise<{ label: string; role: UserRole } | undefined>;
}

type Row = typeof tables.serviceKeys.$inferSelect;

export function createServiceKeys({ orm, sql }: Pick<Database, 'orm' | 'sql'>): ServiceKeys {
  const { serviceKeys } = tables;
  return {
    add: async (label, role) => {
      if (!/^[a-z0-9][a-z0-9_-]{0,62}$/i.test(label)) {
        throw errors.REQUEST_INVALID({ detail: 'a label has up to 63 letters, digits, - and _' });
      }
      const key = `${SERVICE_KEY_MARK}${randomBytes(32).toString('base64url')}`;
      const row = { label, role, prefix: key.slice(0, 12), hash: hashOf(key) };
      const [added] = await orm.insert(serviceKeys).values(row).returning();
      if (!added) throw errors.INTERNAL();
      return { ...shown(added), key };
    },
    list: async () => (await orm.select().from(serviceKeys).orderBy(desc(serviceKeys.createdAt))).map(shown),
    revoke: async (idOrPrefix) => {
      const column = isUuid(idOrPrefix) ? serviceKeys.id : serviceKeys.prefix;
      const [revoked] = await orm
        .update(serviceKeys)
        .set({ revokedAt: new Date() })
        .where(eq(column, idOrPrefix))
        .returning();
      if (!revoked) throw errors.KEY_NOT_FOUND({ detail: `no service key has the id or prefix ${idOrPrefix}` });
      return shown(revoked);
    },
    find: async (key) => {
      const [row] = await sql<{ label: string; role: string }[]>`
        select label, role from service_keys where hash = ${hashOf(key)} and revoked_at is null`;
      return row && { label: row.label, role: roleOf(row.role) };
    },
  };
}

// A key is 256 random bits: nothing to guess, so a plain hash is as good as a slow one, and it can be looked up.
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');
const roleOf = (role: string): UserRole => (role === 'admin' ? 'admin' : 'user');
const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

function shown(row: Row): ServiceKey {
  return {
    id: row.id,
    label: row.label,
    prefix: row.prefix,
    role: roleOf(row.role),
    created_at: row.createdAt.toISOString(),
    revoked_at: row.revokedAt?.toISOString() ?? null,
  };
}
