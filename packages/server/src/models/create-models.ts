import type { AgentType } from '@kith/protocol';
import { trace } from '@opentelemetry/api';
import { type PriceCatalog, priceCatalog } from '../billing/index.ts';
import type { Config, Environment } from '../config/index.ts';
import type { Database } from '../db/index.ts';
import type { Log, Metrics } from '../observability/index.ts';
import { type ChatServices, chatCall } from './call/chat-call.ts';
import { embedCall } from './call/embed-call.ts';
import { structuredCall } from './call/structured-call.ts';
import { loadMasterKeys, type MasterKeys } from './keys/master-keys.ts';
import { createSecrets, type Secrets } from './keys/secrets.ts';
import type { Models } from './port.ts';
import type { Endpoint, Key, Snapshot } from './registry/entities.ts';
import { openRegistry, type Registry } from './registry/registry.ts';
import { seedRegistry } from './registry/seed.ts';
import {
  type SeedVendor,
  vendorOfOllama,
  vendorOfSimulator,
  vendorsOfConfig,
  vendorsOfEnvironment,
} from './registry/seed-sources.ts';
import { chooseStages, resolveStageModels } from './registry/stages.ts';
import { createBreakers } from './routing/breaker.ts';
import { createBudgets } from './routing/budgets.ts';
import { createRateLimits } from './routing/rate-limits.ts';
import { readMonthlySpending } from './usage/monthly-spending.ts';
import { createProviderChat } from './wire/provider-chat.ts';
import { createTransport } from './wire/transport.ts';

export interface ModelsOptions {
  database: Database;
  log: Log;
  metrics: Metrics;
  config: Pick<Config, 'home' | 'models'>;
  environment: Environment;
  /** Read from `KITH_MASTER_KEY` or `KITH_HOME` where not given. */
  masterKeys?: MasterKeys;
  /** Agent type → model, as system_agents.yaml says; kith.yaml comes before it. */
  stages?: Partial<Record<AgentType, string>>;
  /** Starts the built-in vendor; asked only where it is needed. */
  simulator?: () => Promise<{ url: string }>;
  clock?: () => Date;
  random?: () => number;
  /** How often to look for changes that other processes made; 0: never. */
  pollMs?: number;
}

export interface CreatedModels extends Models {
  registry: Registry;
  secrets: Secrets;
  catalog: PriceCatalog;
  /** What the parts of this room share. */
  services: ChatServices;
  /** Whether the built-in simulator serves a stage: the console and the log say so. */
  simulated(): boolean;
  close(): void;
}

const POLL_MS = 5_000;

/** Seeds the registry, opens it, and makes the tracked call; a stage without a model stops the start here. */
export async function createModels(options: ModelsOptions): Promise<CreatedModels> {
  const { database, log, config, environment } = options;
  const { sql } = database;
  const now = options.clock ?? (() => new Date());
  const masterKeys = options.masterKeys ?? loadMasterKeys(config.home, environment);
  const secrets = createSecrets(() => masterKeys);
  const catalog = priceCatalog();

  const { vendors, simulatorUrl } = await findVendors(options, catalog, now());
  const wishes = { config: config.models.stages, templates: options.stages ?? {} };
  await seedRegistry(sql, secrets, vendors, chooseStages(vendors, wishes));

  const budgets = createBudgets();
  const registry = await openRegistry({
    sql,
    catalog,
    log,
    pollMs: options.pollMs ?? POLL_MS,
    overlay: (snapshot) => withSimulatorAt(snapshot, simulatorUrl),
    onTick: async () => budgets.replace(await readMonthlySpending(sql, now())),
  });
  const transport = createTransport();
  const milliseconds = () => now().getTime();
  const services: ChatServices = {
    snapshot: registry.current,
    secrets,
    breakers: createBreakers(milliseconds),
    limits: createRateLimits(milliseconds),
    budgets,
    noteKeyError: keyErrorNotes(database, log),
    log,
    metrics: options.metrics,
    tracer: trace.getTracer('kith'),
    now,
    random: options.random ?? Math.random,
    timeoutMs: config.models.timeoutSeconds * 1000,
    retries: config.models.retries,
    transport,
    provider: createProviderChat(transport),
  };
  const close = () => {
    registry.stop();
    transport.close();
  };
  try {
    resolveStageModels(registry.current().agents, registry.current());
  } catch (error) {
    close();
    throw error;
  }
  const modelFor = (agentType: AgentType) => registry.current().agents.get(agentType);
  const simulated = () => modelFor('TASK_EXECUTION')?.startsWith('simulator/') ?? false;
  if (simulated()) log.warn('no vendor is configured: the built-in simulator answers');
  return {
    generate: (call) => chatCall(services, call),
    structured: (call, output) => structuredCall(services, call, output),
    embed: (call, texts) => embedCall(services, call, texts),
    modelFor,
    registry,
    secrets,
    catalog,
    services,
    simulated,
    close,
  };
}

async function findVendors(options: ModelsOptions, catalog: PriceCatalog, now: Date) {
  const { config, environment, log, simulator } = options;
  const vendors: SeedVendor[] = [
    ...vendorsOfConfig(config.models.vendors, environment, log),
    ...vendorsOfEnvironment(environment),
  ];
  const ollama = await vendorOfOllama(environment);
  if (ollama) vendors.push(ollama);
  const wished = [...Object.values(config.models.stages), ...Object.values(options.stages ?? {})];
  const needed = !vendors.some(({ ready }) => ready) || wished.some((model) => model.startsWith('simulator/'));
  if (!needed || !simulator) return { vendors, simulatorUrl: undefined };
  const { url } = await simulator();
  return { vendors: [...vendors, vendorOfSimulator(url, catalog, now)], simulatorUrl: url };
}

/** Each process has a simulator of its own: the database may hold the address of another's, or of one long gone. */
function withSimulatorAt(snapshot: Snapshot, url: string | undefined): Snapshot {
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

/** Writes down what a vendor said of a key, at most once a minute for the same words: a storm of calls must not become one of writes. */
function keyErrorNotes({ sql }: Database, log: Log): (key: Key, message: string) => void {
  const noted = new Map<string, { message: string; at: number }>();
  return (key, message) => {
    const last = noted.get(key.id);
    if (last && last.message === message && Date.now() - last.at < 60_000) return;
    noted.set(key.id, { message, at: Date.now() });
    sql`update vendor_keys set last_error = ${message.slice(0, 500)}, last_error_at = now() where id = ${key.id}`.catch(
      (error: unknown) => log.warn({ err: error }, 'the error of a key could not be noted'),
    );
  };
}
