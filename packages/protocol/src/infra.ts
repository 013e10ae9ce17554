import { z } from 'zod';
import { DecimalString, Instant, Json, JsonObject } from './json.ts';
import { AgentType } from './stages.ts';
import { CostSource, UsageTotals } from './usage.ts';

/** The registry of models as administrators see it: `/api/v1/infra/*` and `/api/v1/usage`. */

export const VendorAdapter = z.enum(['deepseek', 'alibaba', 'openai-compatible', 'http']);
export type VendorAdapter = z.infer<typeof VendorAdapter>;

export const ModelCategory = z.enum(['text', 'reasoning', 'embedding', 'multimodal', 'text-to-image', 'text-to-video']);
export type ModelCategory = z.infer<typeof ModelCategory>;

/** Who put a row there; what came by the API is never overwritten when the server starts. */
export const RegistrySource = z.enum(['api', 'config', 'environment', 'simulator']);
export type RegistrySource = z.infer<typeof RegistrySource>;

export const VendorId = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'lower case letters, digits and hyphens');
const Label = z.string().trim().min(1).max(100);

export const VendorInput = z.strictObject({
  id: VendorId,
  name: z.string().trim().min(1).max(200).optional(),
  adapter: VendorAdapter,
  enabled: z.boolean().default(true),
});
export const VendorPatch = VendorInput.omit({ id: true }).extend({ enabled: z.boolean() }).partial();
export const VendorView = z.object({
  id: VendorId,
  name: z.string(),
  adapter: VendorAdapter,
  enabled: z.boolean(),
  source: RegistrySource,
  endpoints: z.int(),
  keys: z.int(),
  models: z.int(),
  created_at: Instant,
  updated_at: Instant,
});
export type VendorView = z.infer<typeof VendorView>;

const BaseUrl = z.url({ protocol: /^https?$/ }).max(500);
export const EndpointInput = z.strictObject({
  vendor_id: VendorId,
  label: Label.default('default'),
  base_url: BaseUrl,
  /** Empty: serves every category. */
  categories: z.array(ModelCategory).default([]),
  /** The lowest is tried first. */
  priority: z.int().min(-1000).max(1000).default(0),
  enabled: z.boolean().default(true),
});
export const EndpointPatch = z
  .strictObject({
    label: Label,
    base_url: BaseUrl,
    categories: z.array(ModelCategory),
    priority: z.int().min(-1000).max(1000),
    enabled: z.boolean(),
  })
  .partial();
export const EndpointView = z.object({
  id: z.uuid(),
  vendor_id: VendorId,
  label: z.string(),
  base_url: z.string(),
  categories: z.array(ModelCategory),
  priority: z.int(),
  enabled: z.boolean(),
  source: RegistrySource,
  /** Of the process that answers: `open` endpoints are passed over for a while. */
  circuit: z.enum(['closed', 'open', 'half_open']),
  created_at: Instant,
});
export type EndpointView = z.infer<typeof EndpointView>;

const Secret = z
  .string()
  .min(8)
  .max(4096)
  .regex(/^[\x21-\x7e]+$/, 'printable characters without spaces');
const Budget = z.string().regex(/^\d{1,8}(\.\d{1,12})?$/, 'CNY as a decimal string');
const keyFields = {
  label: Label,
  /** User groups or businesses; empty: everyone whom no other key serves. */
  serves: z.array(z.string().trim().min(1).max(100)).max(100),
  weight: z.int().min(0).max(1000),
  requests_per_minute: z.int().positive().nullable(),
  tokens_per_minute: z.int().positive().nullable(),
  monthly_budget: Budget.nullable(),
  enabled: z.boolean(),
};
export const KeyInput = z.strictObject({
  vendor_id: VendorId,
  secret: Secret,
  ...keyFields,
  serves: keyFields.serves.default([]),
  weight: keyFields.weight.default(1),
  requests_per_minute: keyFields.requests_per_minute.default(null),
  tokens_per_minute: keyFields.tokens_per_minute.default(null),
  monthly_budget: keyFields.monthly_budget.default(null),
  enabled: z.boolean().default(true),
});
export type KeyInput = z.infer<typeof KeyInput>;
export const KeyPatch = z.strictObject(keyFields).partial();
export type KeyPatch = z.infer<typeof KeyPatch>;
export const KeyRotation = z.strictObject({ secret: Secret });
/** A key as lists show it: never its secret. */
export const KeyView = z.object({
  id: z.uuid(),
  vendor_id: VendorId,
  label: z.string(),
  prefix: z.string(),
  serves: z.array(z.string()),
  weight: z.int(),
  requests_per_minute: z.int().nullable(),
  tokens_per_minute: z.int().nullable(),
  monthly_budget: DecimalString.nullable(),
  /** Booked in this month of Beijing. */
  spent_this_month: DecimalString,
  enabled: z.boolean(),
  source: RegistrySource,
  last_error: z.string().nullable(),
  last_error_at: Instant.nullable(),
  created_at: Instant,
  rotated_at: Instant.nullable(),
});
export type KeyView = z.infer<typeof KeyView>;

export const KeyTestResult = z.object({
  ok: z.boolean(),
  latency_ms: z.int(),
  /** What the vendor said, where it said no. */
  error: z.string().nullable(),
});
export type KeyTestResult = z.infer<typeof KeyTestResult>;

/** A JMESPath expression. */
const Expression = z.string().trim().min(1).max(2000);

/**
 * How a request is made of the normal request. Any string may hold `{{ expression }}` (JMESPath over the normal
 * request): alone it becomes the value itself, and a property whose value is null is left out; within text it becomes text.
 */
export const RequestTemplate = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT']).default('POST'),
  /** Appended to the endpoint's base URL. */
  path: z.string().max(500),
  /** `{{ key }}` is the secret; without any header for it, it goes as `Authorization: Bearer`. */
  headers: z.record(z.string(), z.string()).default({}),
  body: Json.optional(),
});
export type RequestTemplate = z.infer<typeof RequestTemplate>;

const textExpressions = {
  text: Expression.optional(),
  reasoning: Expression.optional(),
  /** A list of `{id, name, arguments}`. */
  tool_calls: Expression.optional(),
  finish_reason: Expression.optional(),
  /** The vendor's usage as an object; names of other vendors may be mapped to `prompt_tokens`, `completion_tokens`, … */
  usage: Expression.optional(),
};

/** How an answer becomes the normal form of the model's category. */
export const ResponseParser = z.strictObject({
  /** A built-in parser; what else is given here overrides it. */
  preset: z.string().optional(),
  ...textExpressions,
  /** A list of vectors. */
  vectors: Expression.optional(),
  /** A list of `{url}` or `{base64}`. */
  images: Expression.optional(),
  /** A list of `{url}`. */
  videos: Expression.optional(),
  /** Not null where a 200 is an error after all: text, or `{code, message}`. */
  error: Expression.optional(),
  /** For answers that come piece by piece: expressions over each piece. */
  stream: z
    .strictObject({
      format: z.enum(['sse', 'ndjson']).default('sse'),
      ...textExpressions,
      error: Expression.optional(),
    })
    .optional(),
  /** For work that is fetched later. */
  task: z
    .strictObject({
      id: Expression,
      state: Expression,
      succeeded: z.array(z.string()).default(['SUCCEEDED']),
      failed: z.array(z.string()).default(['FAILED', 'CANCELED', 'UNKNOWN']),
      error: Expression.optional(),
      /** `{{ task_id }}` is the id. */
      poll: RequestTemplate,
    })
    .optional(),
});
export type ResponseParser = z.infer<typeof ResponseParser>;

const modelFields = {
  name: z.string().trim().min(1).max(200),
  category: ModelCategory,
  version: z.string().max(100).nullable(),
  /** `json_schema`, `json_object`, `tools`, `thinking`, `batch`, and whatever else is worth noting. */
  capabilities: JsonObject,
  context_window: z.int().positive().nullable(),
  max_output_tokens: z.int().positive().nullable(),
  request_template: RequestTemplate.nullable(),
  response_parser: ResponseParser.nullable(),
  /** Price cards of its own, in the form of the catalogue; they come before the shipped ones. */
  price_cards: z.array(Json).max(100),
  fallback_model_id: z.string().nullable(),
  enabled: z.boolean(),
};
export const ModelInput = z.strictObject({
  vendor_id: VendorId,
  ...modelFields,
  category: ModelCategory.default('text'),
  version: modelFields.version.default(null),
  capabilities: JsonObject.default({}),
  context_window: modelFields.context_window.default(null),
  max_output_tokens: modelFields.max_output_tokens.default(null),
  request_template: modelFields.request_template.default(null),
  response_parser: modelFields.response_parser.default(null),
  price_cards: modelFields.price_cards.default([]),
  fallback_model_id: modelFields.fallback_model_id.default(null),
  enabled: z.boolean().default(true),
});
export type ModelInput = z.infer<typeof ModelInput>;
export const ModelPatch = z.strictObject(modelFields).omit({ name: true }).partial();
export type ModelPatch = z.infer<typeof ModelPatch>;
export const ModelView = z.object({
  /** `vendor/model`. */
  id: z.string(),
  vendor_id: VendorId,
  ...modelFields,
  request_template: Json.nullable(),
  response_parser: Json.nullable(),
  source: RegistrySource,
  created_at: Instant,
  updated_at: Instant,
});
export type ModelView = z.infer<typeof ModelView>;

export const SystemAgentInput = z.strictObject({ model_id: z.string().min(1) });
export const SystemAgentView = z.object({
  agent_type: AgentType,
  model_id: z.string().nullable(),
  /** The first three must have a model. */
  required: z.boolean(),
  source: RegistrySource.nullable(),
  updated_at: Instant.nullable(),
});
export type SystemAgentView = z.infer<typeof SystemAgentView>;

const InvokeMessage = z.union([
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({ role: z.literal('user'), content: z.string(), images: z.array(z.url()).max(16).optional() }),
  z.strictObject({ role: z.literal('assistant'), content: z.string() }),
]);

/** What to try a model with; which fields count depends on its category. */
export const InvokeInput = z.strictObject({
  /** Text models: one user message. Image and video models: what to make. */
  prompt: z.string().max(100_000).optional(),
  messages: z.array(InvokeMessage).max(100).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_output_tokens: z.int().positive().optional(),
  /** Embedding models. */
  input: z.union([z.string(), z.array(z.string()).min(1).max(256)]).optional(),
  /** Image and video models: size, n, duration, … in the vendor's words. */
  parameters: JsonObject.optional(),
  /** Ask after work that was begun earlier. */
  task_id: z.string().max(200).optional(),
  /** How long to wait for work that takes its time. */
  wait_seconds: z.number().min(0).max(300).default(60),
  user_group: z.string().max(100).optional(),
});
export type InvokeInput = z.infer<typeof InvokeInput>;

/** One booked call, as administrators see it. */
export const ModelCallView = z.object({
  id: z.uuid(),
  model_id: z.string().nullable(),
  vendor_id: z.string().nullable(),
  endpoint_id: z.string().nullable(),
  key_id: z.string().nullable(),
  status: z.enum(['started', 'succeeded', 'failed', 'lost']),
  attempts: z.int(),
  latency_ms: z.int().nullable(),
  raw_usage: JsonObject.nullable(),
  input_tokens: z.int().nullable(),
  output_tokens: z.int().nullable(),
  cached_tokens: z.int().nullable(),
  reasoning_tokens: z.int().nullable(),
  cost: DecimalString.nullable(),
  currency: z.literal('CNY'),
  cost_source: CostSource.nullable(),
  price_card: z.string().nullable(),
  error: z.string().nullable(),
});
export type ModelCallView = z.infer<typeof ModelCallView>;

const ToolCallView = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
export const InvokeResult = z.object({
  model_id: z.string(),
  category: ModelCategory,
  /** Text models. */
  text: z.string().optional(),
  reasoning: z.string().optional(),
  tool_calls: z.array(ToolCallView).optional(),
  finish_reason: z.string().optional(),
  /** Embedding models. */
  vectors: z.array(z.array(z.number())).optional(),
  /** Image models. */
  images: z.array(z.object({ url: z.string().optional(), base64: z.string().optional() })).optional(),
  /** Video models. */
  videos: z.array(z.object({ url: z.string() })).optional(),
  /** Work that is not done yet, or that was fetched. */
  task: z.object({ id: z.string(), state: z.string(), done: z.boolean() }).optional(),
  call: ModelCallView,
});
export type InvokeResult = z.infer<typeof InvokeResult>;

/** A card with the band that holds at the moment of asking. */
export const PriceView = z.object({
  vendor: z.string(),
  model: z.string(),
  /** The registered model that it prices; null for the other cards that Kith ships. */
  model_id: z.string().nullable(),
  currency: z.literal('CNY'),
  effective_from: z.string(),
  effective_until: z.string().nullable(),
  /** A call made now would be priced by it, in this band. */
  in_force: z.boolean(),
  band: z.string().nullable(),
  timezone: z.string(),
  card: Json,
});
export type PriceView = z.infer<typeof PriceView>;

export const UsageGrouping = z.enum(['day', 'user', 'session', 'model', 'vendor', 'key']);
export type UsageGrouping = z.infer<typeof UsageGrouping>;

const Day = z.iso.date();
export const UsageQuery = z.object({
  group_by: UsageGrouping.default('day'),
  /** Days of Beijing, both included. Default: the last thirty. */
  from: Day.optional(),
  to: Day.optional(),
  /** Administrators only; others see their own. */
  user_id: z.string().optional(),
});
export type UsageQuery = z.infer<typeof UsageQuery>;

export const UsageGroup = UsageTotals.extend({
  /** The day, or the id that it is grouped by; empty where a call had none. */
  group: z.string(),
  /** A readable name where the id is none: a key's label, a session's title. */
  label: z.string().nullable(),
});
export type UsageGroup = z.infer<typeof UsageGroup>;

export const UsageReport = z.object({
  group_by: UsageGrouping,
  from: Day,
  to: Day,
  timezone: z.literal('Asia/Shanghai'),
  groups: z.array(UsageGroup),
  total: UsageTotals,
});
export type UsageReport = z.infer<typeof UsageReport>;
