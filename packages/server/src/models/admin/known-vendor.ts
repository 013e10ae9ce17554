import type { Environment } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import { errors } from '../../errors/index.ts';
import { type SeedTools, seedVendors } from '../registry/seed.ts';
import { wellKnownVendors } from '../registry/seed-sources.ts';

/** Registers a vendor that Kith knows by name, with its endpoints and models and without a key. */
export function knownVendorAdder({ sql }: Database, tools: SeedTools, environment: Environment) {
  return async (id: string): Promise<void> => {
    const known = wellKnownVendors(environment);
    const vendor = known.find((each) => each.id === id);
    if (!vendor) {
      const names = known.map((each) => each.id).join(', ');
      throw errors.VENDOR_NOT_FOUND({ detail: `${id} is not registered, and none of those known by name (${names})` });
    }
    await seedVendors(sql, tools, [vendor]);
  };
}
