import { RegistrySource, VendorAdapter, type VendorInput, type VendorPatch, type VendorView } from '@kith/protocol';
import { asc, eq, sql as raw } from 'drizzle-orm';
import type { z } from 'zod';
import { type Database, tables } from '../../db/index.ts';
import { errors } from '../../errors/index.ts';
import { instant, writing } from './write.ts';

const { vendors } = tables;

/** The vendors as rows. Whoever changes them reads the registry anew. */
export function vendorStore({ orm }: Database) {
  const counted = (table: 'vendor_endpoints' | 'vendor_keys' | 'models') =>
    raw<number>`(select count(*)::int from ${raw.identifier(table)} owned where owned.vendor_id = vendors.id)`;
  const columns = {
    vendor: vendors,
    endpoints: counted('vendor_endpoints'),
    keys: counted('vendor_keys'),
    models: counted('models'),
  };
  const get = async (id: string): Promise<VendorView> => {
    const [row] = await orm.select(columns).from(vendors).where(eq(vendors.id, id));
    if (!row) throw errors.VENDOR_NOT_FOUND({ detail: id });
    return viewOf(row);
  };
  return {
    list: async () => (await orm.select(columns).from(vendors).orderBy(asc(vendors.id))).map(viewOf),
    get,
    create: async ({ id, name, adapter, enabled }: z.infer<typeof VendorInput>) => {
      await writing(`the vendor ${id}`, () => orm.insert(vendors).values({ id, name: name ?? id, adapter, enabled }));
      return get(id);
    },
    update: async (id: string, patch: z.infer<typeof VendorPatch>) => {
      const changed = { ...patch, source: 'api', updatedAt: new Date() };
      await orm.update(vendors).set(changed).where(eq(vendors.id, id));
      return get(id);
    },
    delete: async (id: string) => {
      const gone = await writing(`a model of ${id}`, () =>
        orm.delete(vendors).where(eq(vendors.id, id)).returning({ id: vendors.id }),
      );
      if (gone.length === 0) throw errors.VENDOR_NOT_FOUND({ detail: id });
    },
  };
}

interface Counted {
  vendor: typeof vendors.$inferSelect;
  endpoints: number;
  keys: number;
  models: number;
}

function viewOf({ vendor, ...counts }: Counted): VendorView {
  return {
    id: vendor.id,
    name: vendor.name,
    adapter: VendorAdapter.parse(vendor.adapter),
    enabled: vendor.enabled,
    source: RegistrySource.parse(vendor.source),
    ...counts,
    created_at: instant(vendor.createdAt),
    updated_at: instant(vendor.updatedAt),
  };
}
