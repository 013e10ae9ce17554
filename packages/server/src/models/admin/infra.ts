import type { InvokeInput, InvokeResult, KeyTestResult, PriceView, UsageQuery, UsageReport } from '@kith/protocol';
import type { PriceCard, PriceCatalog } from '../../billing/index.ts';
import type { Environment } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import type { ChatServices } from '../call/chat-call.ts';
import type { Registry } from '../registry/registry.ts';
import { usageReport } from '../usage/report.ts';
import { agentStore } from './agents.ts';
import { endpointStore } from './endpoints.ts';
import { invoker } from './invoke.ts';
import { keyTester } from './key-test.ts';
import { keyStore } from './keys.ts';
import { knownVendorAdder } from './known-vendor.ts';
import { modelStore } from './models.ts';
import { listPrices } from './prices.ts';
import { vendorStore } from './vendors.ts';

/** The registry as administrators work on it: rows to read and change, models to try, what it all costs. */
export interface Infra {
  vendors: ReturnType<typeof vendorStore>;
  endpoints: ReturnType<typeof endpointStore>;
  keys: ReturnType<typeof keyStore>;
  models: ReturnType<typeof modelStore>;
  agents: ReturnType<typeof agentStore>;
  /** Registers DeepSeek, DashScope or OpenAI by name, without a key. */
  addKnownVendor(id: string): Promise<void>;
  testKey(keyId: string): Promise<KeyTestResult>;
  invoke(modelId: string, input: InvokeInput, userId: string): Promise<InvokeResult>;
  prices(): PriceView[];
  /** `userId` given: of this user alone. */
  usage(query: UsageQuery, userId: string | undefined): Promise<UsageReport>;
}

export interface InfraParts {
  database: Database;
  services: ChatServices;
  registry: Registry;
  environment: Environment;
  catalog: PriceCatalog;
  cards: readonly PriceCard[];
}

export function createInfra({ database, services, registry, environment, catalog, cards }: InfraParts): Infra {
  /** A change is in use in this process when its maker hears of it; other processes find it by the version. */
  const thenRefresh =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      const result = await work(...args);
      await registry.refresh();
      return result;
    };
  const vendors = vendorStore(database);
  const endpoints = endpointStore(database, services.breakers);
  const keys = keyStore(database, services.secrets, services.now);
  const models = modelStore(database);
  const agents = agentStore(database);
  return {
    vendors: {
      ...vendors,
      create: thenRefresh(vendors.create),
      update: thenRefresh(vendors.update),
      delete: thenRefresh(vendors.delete),
    },
    endpoints: {
      ...endpoints,
      create: thenRefresh(endpoints.create),
      update: thenRefresh(endpoints.update),
      delete: thenRefresh(endpoints.delete),
    },
    keys: {
      ...keys,
      create: thenRefresh(keys.create),
      update: thenRefresh(keys.update),
      rotate: thenRefresh(keys.rotate),
      delete: thenRefresh(keys.delete),
    },
    models: {
      ...models,
      create: thenRefresh(models.create),
      update: thenRefresh(models.update),
      delete: thenRefresh(models.delete),
    },
    agents: { ...agents, assign: thenRefresh(agents.assign), unassign: thenRefresh(agents.unassign) },
    addKnownVendor: thenRefresh(knownVendorAdder(database, services, environment)),
    testKey: keyTester(database, services),
    invoke: invoker(database, services),
    prices: () => listPrices(registry.current(), cards, catalog, services.now()),
    usage: (query, userId) => usageReport(database.sql, query, userId, services.now()),
  };
}
