import { randomUUID } from 'node:crypto';
import { type KeyInput, type KeyPatch, type KeyView, RegistrySource } from '@kith/protocol';
import { asc, eq, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { formatPico, parsePico } from '../../billing/index.ts';
import { type Database, tables } from '../../db/index.ts';
import { errors } from '../../errors/index.ts';
import { prefixOf, type Secrets } from '../keys/secrets.ts';
import { readMonthlySpending } from '../usage/monthly-spending.ts';
import { instant, instantOrNull, writing } from './write.ts';

const { vendorKeys: keys, vendors } = tables;

/** The keys of vendors. A secret goes in and never comes out: lists show its beginning. */
export function keyStore({ orm, sql }: Database, secrets: Secrets, now: () => Date) {
  const find = async (where: SQL | undefined): Promise<KeyView[]> => {
    const rows = await orm.select(shown).from(keys).where(where).orderBy(asc(keys.vendorId), asc(keys.label));
    const spent = await readMonthlySpending(sql, now());
    return rows.map((row) => viewOf(row, formatPico(spent.get(row.id) ?? 0n)));
  };
  const get = async (id: string): Promise<KeyView> => {
    const [view] = await find(eq(keys.id, id));
    if (!view) throw errors.KEY_NOT_FOUND({ detail: id });
    return view;
  };
  return {
    list: (vendorId?: string) => find(vendorId === undefined ? undefined : eq(keys.vendorId, vendorId)),
    get,
    create: async ({ vendor_id: vendorId, secret, ...rest }: KeyInput) => {
      const [vendor] = await orm.select({ id: vendors.id }).from(vendors).where(eq(vendors.id, vendorId));
      if (!vendor) throw errors.VENDOR_NOT_FOUND({ detail: vendorId });
      const id = randomUUID();
      const sealed = { secret: secrets.seal(secret, id), prefix: prefixOf(secret) };
      await writing(`a key ${rest.label} of ${vendorId}`, () =>
        orm.insert(keys).values({ ...columnsOf(rest), ...sealed, id, vendorId, label: rest.label }),
      );
      return get(id);
    },
    update: async (id: string, patch: KeyPatch) => {
      await writing(`a key ${patch.label}`, () =>
        orm
          .update(keys)
          .set({ ...columnsOf(patch), source: 'api' })
          .where(eq(keys.id, id)),
      );
      return get(id);
    },
    /** Another secret in the same row: everything booked to the key stays with it. */
    rotate: async (id: string, secret: string) => {
      const sealed = { secret: secrets.seal(secret, id), prefix: prefixOf(secret) };
      const fresh = { ...sealed, rotatedAt: now(), lastError: null, lastErrorAt: null, source: 'api' };
      await orm.update(keys).set(fresh).where(eq(keys.id, id));
      return get(id);
    },
    delete: async (id: string) => {
      const gone = await orm.delete(keys).where(eq(keys.id, id)).returning({ id: keys.id });
      if (gone.length === 0) throw errors.KEY_NOT_FOUND({ detail: id });
    },
  };
}

/** Every column but the secret. */
const shown = {
  id: keys.id,
  vendorId: keys.vendorId,
  label: keys.label,
  prefix: keys.prefix,
  serves: keys.serves,
  weight: keys.weight,
  requestsPerMinute: keys.requestsPerMinute,
  tokensPerMinute: keys.tokensPerMinute,
  monthlyBudget: keys.monthlyBudget,
  enabled: keys.enabled,
  source: keys.source,
  lastError: keys.lastError,
  lastErrorAt: keys.lastErrorAt,
  createdAt: keys.createdAt,
  rotatedAt: keys.rotatedAt,
};

/** Drizzle passes over what is undefined: a patch changes only what it names. */
function columnsOf(fields: KeyPatch) {
  return {
    label: fields.label,
    serves: fields.serves,
    weight: fields.weight,
    requestsPerMinute: fields.requests_per_minute,
    tokensPerMinute: fields.tokens_per_minute,
    monthlyBudget: fields.monthly_budget,
    enabled: fields.enabled,
  };
}

type ShownRow = Omit<typeof keys.$inferSelect, 'secret'>;

function viewOf(row: ShownRow, spent: string): KeyView {
  return {
    id: row.id,
    vendor_id: row.vendorId,
    label: row.label,
    prefix: row.prefix,
    serves: z.array(z.string()).parse(row.serves),
    weight: row.weight,
    requests_per_minute: row.requestsPerMinute,
    tokens_per_minute: row.tokensPerMinute,
    monthly_budget: row.monthlyBudget === null ? null : formatPico(parsePico(row.monthlyBudget)),
    spent_this_month: spent,
    enabled: row.enabled,
    source: RegistrySource.parse(row.source),
    last_error: row.lastError,
    last_error_at: instantOrNull(row.lastErrorAt),
    created_at: instant(row.createdAt),
    rotated_at: instantOrNull(row.rotatedAt),
  };
}
