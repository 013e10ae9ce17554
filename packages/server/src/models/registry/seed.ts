import { randomUUID } from 'node:crypto';
import type { AgentType } from '@kith/protocol';
import type { Sql, Transaction } from '../../db/index.ts';
import type { Log } from '../../observability/index.ts';
import { prefixOf, type Secrets } from '../keys/secrets.ts';
import type { SeedModel } from './seed-presets.ts';
import type { SeedKey, SeedVendor } from './seed-sources.ts';

/** Any number, as long as every process that seeds takes the same. */
const LOCK = 7_070_003;

export interface SeedTools {
  secrets: Secrets;
  log: Log;
}

/** Writes what was found at the start. Rows that came by the API stay as they are; everything else follows its source. */
export async function seedRegistry(
  sql: Sql,
  tools: SeedTools,
  vendors: readonly SeedVendor[],
  stages: ReadonlyMap<AgentType, { modelId: string; source: string }>,
): Promise<void> {
  await sql.begin(async (transaction) => {
    await writeVendors(transaction, tools, vendors);
    await seedStages(transaction, stages);
  });
}

/** Vendors alone, for one that is added later. */
export async function seedVendors(sql: Sql, tools: SeedTools, vendors: readonly SeedVendor[]): Promise<void> {
  await sql.begin((transaction) => writeVendors(transaction, tools, vendors));
}

async function writeVendors(sql: Transaction, tools: SeedTools, vendors: readonly SeedVendor[]): Promise<void> {
  // Two processes that start at once take turns.
  await sql`select pg_advisory_xact_lock(${LOCK})`;
  for (const vendor of vendors) await seedVendor(sql, tools, vendor);
}

async function seedVendor(sql: Transaction, tools: SeedTools, vendor: SeedVendor): Promise<void> {
  const { id, source } = vendor;
  await sql`
    insert into vendors (id, name, adapter, source) values (${id}, ${vendor.name}, ${vendor.adapter}, ${source})
    on conflict (id) do update set name = excluded.name, adapter = excluded.adapter, source = excluded.source,
      updated_at = now() where vendors.source <> 'api'`;
  for (const endpoint of vendor.endpoints) {
    await sql`
      insert into vendor_endpoints (vendor_id, label, base_url, categories, priority, source)
      values (${id}, ${endpoint.label}, ${endpoint.baseUrl}, ${sql.json([...endpoint.categories])}, ${endpoint.priority}, ${source})
      on conflict (vendor_id, label) do update set base_url = excluded.base_url, categories = excluded.categories,
        priority = excluded.priority, source = excluded.source where vendor_endpoints.source <> 'api'`;
  }
  for (const key of vendor.keys) await seedKey(sql, tools, vendor, key);
  for (const model of vendor.models) await seedModel(sql, vendor, model);
  // Fallbacks last: they may name a model that comes later in the list.
  for (const model of vendor.models) await seedFallback(sql, vendor, model);
}

async function seedKey(
  sql: Transaction,
  { secrets, log }: SeedTools,
  { id: vendorId, source }: SeedVendor,
  key: SeedKey,
) {
  const [known] = await sql<{ id: string; secret: string; source: string }[]>`
    select id, secret, source from vendor_keys where vendor_id = ${vendorId} and label = ${key.label}`;
  if (known?.source === 'api') return;
  const rest = {
    serves: sql.json([...key.serves]),
    weight: key.weight,
    requests_per_minute: key.requestsPerMinute ?? null,
    tokens_per_minute: key.tokensPerMinute ?? null,
    monthly_budget: key.monthlyBudget ?? null,
    source,
  };
  const id = known?.id ?? randomUUID();
  if (!known) {
    const row = {
      id,
      vendor_id: vendorId,
      label: key.label,
      prefix: prefixOf(key.secret),
      secret: secrets.seal(key.secret, id),
    };
    await sql`insert into vendor_keys ${sql({ ...row, ...rest })}`;
    return;
  }
  await sql`update vendor_keys set ${sql(rest)} where id = ${id}`;
  const before = secrets.open(known.secret, id);
  if (before === key.secret) return;
  if (before === undefined)
    log.warn({ vendor: vendorId, label: key.label }, 'a key was sealed with another master key');
  await sql`
    update vendor_keys set secret = ${secrets.seal(key.secret, id)}, prefix = ${prefixOf(key.secret)}, rotated_at = now(),
      last_error = null, last_error_at = null where id = ${id}`;
}

export const modelIdOf = (vendorId: string, name: string) => `${vendorId}/${name}`;

async function seedModel(sql: Transaction, { id: vendorId, source }: SeedVendor, model: SeedModel): Promise<void> {
  const row = {
    id: modelIdOf(vendorId, model.name),
    vendor_id: vendorId,
    name: model.name,
    category: model.category,
    version: model.version ?? null,
    capabilities: sql.json(model.capabilities),
    context_window: model.contextWindow ?? null,
    max_output_tokens: model.maxOutputTokens ?? null,
    request_template: model.requestTemplate ? sql.json(JSON.parse(JSON.stringify(model.requestTemplate))) : null,
    response_parser: model.responseParser ? sql.json(JSON.parse(JSON.stringify(model.responseParser))) : null,
    price_cards: sql.json(JSON.parse(JSON.stringify(model.priceCards ?? []))),
    source,
  };
  await sql`
    insert into models ${sql(row)}
    on conflict (id) do update set name = excluded.name, category = excluded.category, version = excluded.version,
      capabilities = excluded.capabilities, context_window = excluded.context_window,
      max_output_tokens = excluded.max_output_tokens, request_template = excluded.request_template,
      response_parser = excluded.response_parser, price_cards = excluded.price_cards, source = excluded.source,
      updated_at = now() where models.source <> 'api'`;
}

async function seedFallback(sql: Transaction, { id: vendorId }: SeedVendor, model: SeedModel): Promise<void> {
  const { fallback } = model;
  const id = fallback === undefined ? null : fallback.includes('/') ? fallback : modelIdOf(vendorId, fallback);
  await sql`
    update models set fallback_model_id = (select id from models where id = ${id})
    where id = ${modelIdOf(vendorId, model.name)} and source <> 'api'`;
}

async function seedStages(sql: Transaction, stages: ReadonlyMap<AgentType, { modelId: string; source: string }>) {
  // A stage that no source fills any more, such as embeddings after their vendor has left the environment.
  await sql`delete from system_agents where source <> 'api' and not (agent_type = any(${[...stages.keys()]}))`;
  for (const [agentType, { modelId, source }] of stages) {
    await sql`
      insert into system_agents (agent_type, model_id, source)
      select ${agentType}, id, ${source} from models where id = ${modelId}
      on conflict (agent_type) do update set model_id = excluded.model_id, source = excluded.source, updated_at = now()
      where system_agents.source <> 'api'`;
  }
}
