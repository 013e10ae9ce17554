import {
  bigint,
  boolean,
  date,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';

const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

export const vendors = pgTable('vendors', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  adapter: text('adapter').notNull(),
  enabled: boolean('enabled').notNull().default(true),
  source: text('source').notNull().default('api'),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

export const vendorEndpoints = pgTable(
  'vendor_endpoints',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    vendorId: text('vendor_id')
      .notNull()
      .references(() => vendors.id, { onDelete: 'cascade' }),
    label: text('label').notNull().default('default'),
    baseUrl: text('base_url').notNull(),
    categories: jsonb('categories').notNull().default([]),
    priority: integer('priority').notNull().default(0),
    enabled: boolean('enabled').notNull().default(true),
    source: text('source').notNull().default('api'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [unique('vendor_endpoints_label').on(table.vendorId, table.label)],
);

export const vendorKeys = pgTable(
  'vendor_keys',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    vendorId: text('vendor_id')
      .notNull()
      .references(() => vendors.id, { onDelete: 'cascade' }),
    label: text('label').notNull(),
    prefix: text('prefix').notNull(),
    secret: text('secret').notNull(),
    serves: jsonb('serves').notNull().default([]),
    weight: integer('weight').notNull().default(1),
    requestsPerMinute: integer('requests_per_minute'),
    tokensPerMinute: integer('tokens_per_minute'),
    monthlyBudget: numeric('monthly_budget', { precision: 20, scale: 12 }),
    enabled: boolean('enabled').notNull().default(true),
    source: text('source').notNull().default('api'),
    lastError: text('last_error'),
    lastErrorAt: instant('last_error_at'),
    createdAt: instant('created_at').notNull().defaultNow(),
    rotatedAt: instant('rotated_at'),
  },
  (table) => [unique('vendor_keys_label').on(table.vendorId, table.label)],
);

export const models = pgTable(
  'models',
  {
    id: text('id').primaryKey(),
    vendorId: text('vendor_id')
      .notNull()
      .references(() => vendors.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    category: text('category').notNull(),
    version: text('version'),
    capabilities: jsonb('capabilities').notNull().default({}),
    contextWindow: integer('context_window'),
    maxOutputTokens: integer('max_output_tokens'),
    requestTemplate: jsonb('request_template'),
    responseParser: jsonb('response_parser'),
    priceCards: jsonb('price_cards').notNull().default([]),
    fallbackModelId: text('fallback_model_id'),
    enabled: boolean('enabled').notNull().default(true),
    source: text('source').notNull().default('api'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [index('models_by_vendor').on(table.vendorId)],
);

export const systemAgents = pgTable('system_agents', {
  agentType: text('agent_type').primaryKey(),
  modelId: text('model_id')
    .notNull()
    .references(() => models.id, { onDelete: 'restrict' }),
  source: text('source').notNull().default('api'),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

export const registryVersion = pgTable('registry_version', {
  id: boolean('id').primaryKey().default(true),
  version: bigint('version', { mode: 'number' }).notNull(),
});

export const modelCalls = pgTable(
  'model_calls',
  {
    id: uuid('id').primaryKey(),
    userId: text('user_id'),
    sessionId: uuid('session_id'),
    runId: text('run_id'),
    messageId: uuid('message_id'),
    agentType: text('agent_type').notNull(),
    vendorId: text('vendor_id'),
    endpointId: uuid('endpoint_id'),
    keyId: uuid('key_id'),
    modelId: text('model_id'),
    status: text('status').notNull(),
    rawUsage: jsonb('raw_usage'),
    usageSummary: jsonb('usage_summary'),
    inputTokens: integer('input_tokens'),
    outputTokens: integer('output_tokens'),
    cachedTokens: integer('cached_tokens'),
    reasoningTokens: integer('reasoning_tokens'),
    cost: numeric('cost', { precision: 20, scale: 12 }),
    currency: varchar('currency', { length: 3 }).notNull().default('CNY'),
    costSource: text('cost_source'),
    priceCard: text('price_card'),
    latencyMs: integer('latency_ms'),
    attempts: integer('attempts').notNull().default(1),
    error: text('error'),
    startedAt: instant('started_at').notNull().defaultNow(),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    index('model_calls_by_run').on(table.sessionId, table.runId),
    index('model_calls_by_day').on(table.startedAt),
    index('model_calls_by_user').on(table.userId, table.startedAt),
  ],
);

export const usageDaily = pgTable(
  'usage_daily',
  {
    day: date('day').notNull(),
    userId: text('user_id').notNull().default(''),
    sessionId: text('session_id').notNull().default(''),
    modelId: text('model_id').notNull().default(''),
    vendorId: text('vendor_id').notNull().default(''),
    keyId: text('key_id').notNull().default(''),
    modelCalls: integer('model_calls').notNull(),
    unpricedCalls: integer('unpriced_calls').notNull(),
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull(),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull(),
    cachedTokens: bigint('cached_tokens', { mode: 'number' }).notNull(),
    reasoningTokens: bigint('reasoning_tokens', { mode: 'number' }).notNull(),
    cost: numeric('cost', { precision: 24, scale: 12 }).notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.day, table.userId, table.sessionId, table.modelId, table.vendorId, table.keyId],
    }),
  ],
);

export const usageDays = pgTable('usage_days', {
  day: date('day').primaryKey(),
  rolledAt: instant('rolled_at').notNull().defaultNow(),
});
