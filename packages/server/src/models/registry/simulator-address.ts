import type { Endpoint, Snapshot } from './entities.ts';

/** Each process has a simulator of its own: the database may hold the address of another's, or of one long gone. */
export function withSimulatorAt(snapshot: Snapshot, url: string | undefined): Snapshot {
  const vendor = snapshot.vendors.get('simulator');
  if (!vendor) return snapshot;
  const vendors = new Map(snapshot.vendors).set(vendor.id, { ...vendor, enabled: vendor.enabled && url !== undefined });
  const here = (endpoint: Endpoint): Endpoint => {
    const path = URL.parse(endpoint.baseUrl)?.pathname ?? '';
    return { ...endpoint, baseUrl: `${url ?? 'http://simulator.invalid'}${path}` };
  };
  const endpoints = new Map(snapshot.endpoints).set(vendor.id, (snapshot.endpoints.get(vendor.id) ?? []).map(here));
  return { ...snapshot, vendors, endpoints };
}
