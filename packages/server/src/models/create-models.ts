import type { AgentType } from '@kith/protocol';
import { trace } from '@opentelemetry/api';
import { type PriceCatalog, priceCatalog, shippedPriceBook } from '../billing/index.ts';
import type { Config, Environment } from '../config/index.ts';
import type { Database } from '../db/index.ts';
import type { Log, Metrics } from '../observability/index.ts';
import { createInfra, type Infra } from './admin/infra.ts';
import { type ChatServices, chatCall } from './call/chat-call.ts';
import { embedCall } from './call/embed-call.ts';
import { structuredCall } from './call/structured-call.ts';
import { keyErrorNotes } from './keys/key-error-notes.ts';
import { loadMasterKeys, type MasterKeys } from './keys/master-keys.ts';
import { createSecrets, type Secrets } from './keys/secrets.ts';
import type { Models } from './port.ts';
import { findVendors } from './registry/find-vendors.ts';
import { openRegistry, type Registry } from './registry/registry.ts';
import { seedRegistry } from './registry/seed.ts';
import { withSimulatorAt } from './registry/simulator-address.ts';
import { chooseStages, resolveStageModels } from './registry/stages.ts';
import { createBreakers } from './routing/breaker.ts';
import { budgetReader, createBudgets } from './routing/budgets.ts';
import { createRateLimits } from './routing/rate-limits.ts';
import { createProviderChat } from './wire/provider-chat.ts';
import { createTransport } from './wire/transport.ts';

export interface InfraOptions {
  database: Database;
  log: Log;
  metrics: Metrics;
  config: Pick<Config, 'home' | 'models'>;
  environment: Environment;
  /** Read from `KITH_MASTER_KEY` or `KITH_HOME` where not given. */
  masterKeys?: MasterKeys;
  clock?: () => Date;
  random?: () => number;
  /** How often to look for changes that other processes made; 0: never. */
  pollMs?: number;
}

export interface ModelsOptions extends InfraOptions {
  /** Agent type → model, as system_agents.yaml says; kith.yaml comes before it. */
  stages?: Partial<Record<AgentType, string>>;
  /** Starts the built-in vendor; asked only where it is needed. */
  simulator?: () => Promise<{ url: string }>;
}

export interface CreatedModels extends Models {
  registry: Registry;
  /** The registry and the ledger for administrators. */
  infra: Infra;
  /** Whether the built-in simulator serves a stage: the console and the log say so. */
  simulated(): boolean;
  close(): void;
}

const POLL_MS = 5_000;

/** Seeds the registry, opens it, and makes the tracked call; a stage without a model stops the start here. */
export async function createModels(options: ModelsOptions): Promise<CreatedModels> {
  const { database, log, config, stages = {} } = options;
  const ground = groundOf(options);
  const wishes = { config: config.models.stages, templates: stages };
  const { vendors, stored, simulatorUrl } = await findVendors(options, wishes, ground.catalog, ground.now());
  await seedRegistry(database.sql, { secrets: ground.secrets, log }, vendors, chooseStages(vendors, stored, wishes));
  const { registry, services, infra, close } = await openRoom(options, ground, simulatorUrl);
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
    infra,
    simulated,
    close,
  };
}

/** The registry as it is, for commands: nothing is seeded and no stage needs a model. */
export async function openInfra(options: InfraOptions): Promise<{ infra: Infra; close(): void }> {
  return openRoom({ ...options, pollMs: 0 }, groundOf(options), undefined);
}

interface RoomGround {
  now: () => Date;
  secrets: Secrets;
  book: ReturnType<typeof shippedPriceBook>;
  catalog: PriceCatalog;
}

function groundOf({ clock, masterKeys, config, environment }: InfraOptions): RoomGround {
  const book = shippedPriceBook();
  return {
    now: clock ?? (() => new Date()),
    secrets: createSecrets(() => masterKeys ?? loadMasterKeys(config.home, environment)),
    book,
    catalog: priceCatalog(book.cards, book.calendars),
  };
}

async function openRoom(options: InfraOptions, ground: RoomGround, simulatorUrl: string | undefined) {
  const { database, log, config } = options;
  const { now, secrets, catalog, book } = ground;
  const budgets = createBudgets();
  const registry = await openRegistry({
    sql: database.sql,
    catalog,
    log,
    pollMs: options.pollMs ?? POLL_MS,
    overlay: (snapshot) => withSimulatorAt(snapshot, simulatorUrl),
    onLook: budgetReader(budgets, database.sql, now),
  });
  const transport = createTransport();
  const milliseconds = () => now().getTime();
  const services: ChatServices = {
    snapshot: registry.current,
    secrets,
    breakers: createBreakers(milliseconds),
    limits: createRateLimits(milliseconds),
    budgets,
    noteKeyError: keyErrorNotes(database.sql, log, milliseconds),
    log,
    metrics: options.metrics,
    tracer: trace.getTracer('kith'),
    now,
    random: options.random ?? Math.random,
    timeoutMs: config.models.timeoutSeconds * 1000,
    retries: config.models.retries,
    transport,
    provider: createProviderChat(transport),
    formsTaken: new Map(),
  };
  const close = () => {
    registry.stop();
    transport.close();
  };
  const infra = createInfra({
    database,
    services,
    registry,
    environment: options.environment,
    catalog,
    cards: book.cards,
  });
  return { registry, services, infra, close };
}
