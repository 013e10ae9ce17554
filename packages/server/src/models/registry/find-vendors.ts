import type { PriceCatalog } from '../../billing/index.ts';
import type { Sql } from '../../db/index.ts';
import type { ModelsOptions } from '../create-models.ts';
import {
  type SeedVendor,
  vendorOfOllama,
  vendorOfSimulator,
  vendorsOfConfig,
  vendorsOfEnvironment,
} from './seed-sources.ts';
import type { StageWishes, StoredModels } from './stages.ts';

export interface FoundVendors {
  vendors: SeedVendor[];
  /** What administrators have registered themselves, where nothing else is there. */
  stored: StoredModels;
  simulatorUrl: string | undefined;
}

/** Who could answer: kith.yaml, the environment, a local Ollama, what was registered before, and else the simulator. */
export async function findVendors(
  options: Pick<ModelsOptions, 'config' | 'environment' | 'log' | 'simulator' | 'database'>,
  wishes: StageWishes,
  catalog: PriceCatalog,
  now: Date,
): Promise<FoundVendors> {
  const { config, environment, log, simulator, database } = options;
  const vendors = [
    ...vendorsOfConfig(config.models.vendors, environment, log),
    ...vendorsOfEnvironment(environment),
    ...(await vendorOfOllama(environment)),
  ];
  const ready = vendors.some((vendor) => vendor.ready);
  const stored = ready ? {} : await readStored(database.sql);
  const wished = [...Object.values(wishes.config), ...Object.values(wishes.templates)];
  const answered = ready || stored.text !== undefined;
  if (!simulator || (answered && !wished.some((model) => model.startsWith('simulator/')))) {
    return { vendors, stored, simulatorUrl: undefined };
  }
  const { url } = await simulator();
  return { vendors: [...vendors, vendorOfSimulator(url, catalog, now)], stored, simulatorUrl: url };
}

/** Models of vendors with a key that an administrator added: the oldest first. */
async function readStored(sql: Sql): Promise<StoredModels> {
  const rows = await sql<{ id: string; category: string }[]>`
    select models.id, models.category from models join vendors on vendors.id = models.vendor_id
    where models.enabled and vendors.enabled and exists (
      select from vendor_keys where vendor_id = vendors.id and vendor_keys.enabled and vendor_keys.source = 'api')
    order by vendors.created_at, models.created_at, models.id`;
  const first = (...categories: string[]) =>
    categories.flatMap((category) => rows.find((row) => row.category === category)?.id ?? [])[0];
  return { text: first('text', 'multimodal', 'reasoning'), embedding: first('embedding') };
}
