import { ModelCategory, RegistrySource, RequestTemplate, ResponseParser, VendorAdapter } from '@kith/protocol';
import { z } from 'zod';
import { PriceCard, type PriceCatalog, parsePico } from '../../billing/index.ts';
import type { Sql } from '../../db/index.ts';
import type { Log } from '../../observability/index.ts';
import { parserFor } from '../parsers/compile.ts';
import { Capabilities, type Endpoint, type Key, type Model, type Snapshot, type Vendor } from './entities.ts';

const VendorRow = z.object({
  id: z.string(),
  name: z.string(),
  adapter: VendorAdapter,
  enabled: z.boolean(),
  source: RegistrySource,
});
const EndpointRow = z.object({
  id: z.string(),
  vendor_id: z.string(),
  label: z.string(),
  base_url: z.string(),
  categories: z.array(ModelCategory),
  priority: z.number(),
  enabled: z.boolean(),
});
const KeyRow = z.object({
  id: z.string(),
  vendor_id: z.string(),
  label: z.string(),
  secret: z.string(),
  serves: z.array(z.string()),
  weight: z.number(),
  requests_per_minute: z.number().nullable(),
  tokens_per_minute: z.number().nullable(),
  monthly_budget: z.string().nullable(),
  enabled: z.boolean(),
});
const ModelRow = z.object({
  id: z.string(),
  vendor_id: z.string(),
  name: z.string(),
  category: ModelCategory,
  capabilities: Capabilities,
  max_output_tokens: z.number().nullable(),
  request_template: RequestTemplate.nullable(),
  response_parser: ResponseParser.nullable(),
  price_cards: z.array(z.json()),
  fallback_model_id: z.string().nullable(),
  enabled: z.boolean(),
});
const AgentRow = z.object({ agent_type: z.string(), model_id: z.string() });

/** Reads the registry at one moment. A row that cannot be used is left out and named in the log: it must not stop the rest. */
export async function loadSnapshot(sql: Sql, catalog: PriceCatalog, log: Log): Promise<Snapshot> {
  const [found] = await sql<{ tables: Record<string, unknown> }[]>`
    select json_build_object(
      'version', coalesce((select version from registry_version), 0),
      'vendors', (select coalesce(json_agg(v order by v.id), '[]') from vendors v),
      'endpoints', (select coalesce(json_agg(e order by e.priority, e.label), '[]') from vendor_endpoints e),
      'keys', (select coalesce(json_agg(k order by k.label), '[]') from (
        select id, vendor_id, label, secret, serves, weight, requests_per_minute, tokens_per_minute,
          monthly_budget::text as monthly_budget, enabled from vendor_keys) k),
      'models', (select coalesce(json_agg(m order by m.id), '[]') from models m),
      'agents', (select coalesce(json_agg(a), '[]') from system_agents a)) as tables`;
  const tables = found?.tables ?? {};
  const rows = <Row>(name: string, schema: z.ZodType<Row>): Row[] => readRows(tables[name], schema, name, log);
  const vendors = new Map(rows('vendors', VendorRow).map((row): [string, Vendor] => [row.id, row]));
  const models = rows('models', ModelRow).flatMap((row) => modelOf(row, vendors, catalog, log));
  return {
    version: z.number().parse(tables.version ?? 0),
    vendors,
    endpoints: groupByVendor(rows('endpoints', EndpointRow).map(endpointOf)),
    keys: groupByVendor(rows('keys', KeyRow).map(keyOf)),
    models: new Map(models.map((model) => [model.id, model])),
    agents: new Map(rows('agents', AgentRow).map((row) => [row.agent_type, row.model_id])),
  };
}

export async function readVersion(sql: Sql): Promise<number> {
  const [row] = await sql<{ version: number }[]>`select version from registry_version`;
  return row?.version ?? 0;
}

function readRows<Row>(list: unknown, schema: z.ZodType<Row>, table: string, log: Log): Row[] {
  return z
    .array(z.looseObject({}))
    .parse(list)
    .flatMap((raw) => {
      const parsed = schema.safeParse(raw);
      if (parsed.success) return [parsed.data];
      const at = parsed.error.issues[0]?.path.join('.');
      log.error({ table, row: raw.id, at }, 'a row of the registry cannot be used');
      return [];
    });
}

function endpointOf({ vendor_id, base_url, ...row }: z.infer<typeof EndpointRow>): Endpoint {
  return { ...row, vendorId: vendor_id, baseUrl: base_url };
}

function keyOf(row: z.infer<typeof KeyRow>): Key {
  return {
    id: row.id,
    vendorId: row.vendor_id,
    label: row.label,
    secret: row.secret,
    serves: row.serves,
    weight: row.weight,
    requestsPerMinute: row.requests_per_minute,
    tokensPerMinute: row.tokens_per_minute,
    monthlyBudget: row.monthly_budget === null ? null : parsePico(row.monthly_budget),
    enabled: row.enabled,
  };
}

function modelOf(
  row: z.infer<typeof ModelRow>,
  vendors: ReadonlyMap<string, Vendor>,
  catalog: PriceCatalog,
  log: Log,
): Model[] {
  const vendor = vendors.get(row.vendor_id);
  if (!vendor) return [];
  try {
    const parser = parserFor({
      adapter: vendor.adapter,
      category: row.category,
      requestTemplate: row.request_template,
      responseParser: row.response_parser,
    });
    return [
      {
        id: row.id,
        vendorId: row.vendor_id,
        name: row.name,
        category: row.category,
        capabilities: row.capabilities,
        maxOutputTokens: row.max_output_tokens,
        parser,
        prices: catalog.preferring(ownCards(row.price_cards, row.vendor_id, row.name)),
        fallbackModelId: row.fallback_model_id,
        enabled: row.enabled,
      },
    ];
  } catch (error) {
    log.error({ table: 'models', row: row.id, err: error }, 'a row of the registry cannot be used');
    return [];
  }
}

/** A model's own cards are about this model, whatever they say. */
export function ownCards(cards: readonly unknown[], vendor: string, model: string): PriceCard[] {
  return cards.map((card) => PriceCard.parse({ ...z.looseObject({}).parse(card), vendor, model }));
}

function groupByVendor<Row extends { vendorId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, (row) => row.vendorId);
}
