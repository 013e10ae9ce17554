import type { Endpoint, Key, Model, Snapshot, Vendor } from '../registry/entities.ts';
import { pinnedOrder } from './pinning.ts';

/** Where a model can be reached, in the order in which it is tried. */
export interface Routes {
  vendor: Vendor;
  endpoints: readonly Endpoint[];
  /** Empty with `keyless`: the vendor asks for none. */
  keys: readonly Key[];
  keyless: boolean;
}

export interface RouteQuery {
  /** Pins the key. */
  session: string;
  userGroup: string | undefined;
  /** Whether a key's budget for the month is used up. */
  exhausted: (key: Key) => boolean;
}

export function routesOf(snapshot: Snapshot, model: Model, query: RouteQuery): Routes | undefined {
  const vendor = snapshot.vendors.get(model.vendorId);
  if (!vendor?.enabled || !model.enabled) return undefined;
  const endpoints = (snapshot.endpoints.get(vendor.id) ?? []).filter(
    ({ enabled, categories }) => enabled && (categories.length === 0 || categories.includes(model.category)),
  );
  const all = snapshot.keys.get(vendor.id) ?? [];
  const usable = keysFor(all, query.userGroup).filter((key) => key.enabled && !query.exhausted(key));
  return { vendor, endpoints, keys: pinnedOrder(usable, query.session), keyless: all.length === 0 };
}

/**
 * A group that has keys of its own uses those and no others: its metering and its access hang on them, and its work must
 * not spill over to keys that someone else pays for. Everyone else shares the keys that serve no one in particular.
 */
function keysFor(keys: readonly Key[], group: string | undefined): readonly Key[] {
  const own = group === undefined ? [] : keys.filter(({ serves }) => serves.includes(group));
  return own.length > 0 ? own : keys.filter(({ serves }) => serves.length === 0);
}
