import {
  type ModelCategory,
  type RegistrySource,
  RequestTemplate,
  ResponseParser,
  type VendorAdapter,
} from '@kith/protocol';
import { z } from 'zod';
import type { PriceCatalog } from '../../billing/index.ts';
import type { Environment, VendorConfig } from '../../config/index.ts';
import { errors } from '../../errors/index.ts';
import type { Log } from '../../observability/index.ts';
import {
  DASHSCOPE_BASE_URL,
  DASHSCOPE_MODELS,
  DASHSCOPE_NATIVE_URL,
  DEEPSEEK_BASE_URL,
  DEEPSEEK_MODELS,
  OPENAI_BASE_URL,
  type SeedModel,
} from './seed-presets.ts';

export interface SeedEndpoint {
  label: string;
  baseUrl: string;
  categories: readonly string[];
  priority: number;
}

export interface SeedKey {
  label: string;
  secret: string;
  serves: readonly string[];
  weight: number;
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
  monthlyBudget?: string | undefined;
}

/** A vendor with all that belongs to it, as it is found when the server starts. */
export interface SeedVendor {
  id: string;
  name: string;
  adapter: VendorAdapter;
  source: Exclude<RegistrySource, 'api'>;
  endpoints: readonly SeedEndpoint[];
  keys: readonly SeedKey[];
  models: readonly SeedModel[];
  /** Whether it can be called: its keys are there, or it needs none. */
  ready: boolean;
}

const CHAT: readonly ModelCategory[] = ['text', 'reasoning', 'multimodal', 'embedding'];
const MEDIA: readonly ModelCategory[] = ['text-to-image', 'text-to-video'];
const at = (baseUrl: string): SeedEndpoint => ({ label: 'default', baseUrl, categories: [], priority: 0 });
const key = (secret: string): SeedKey => ({ label: 'default', secret, serves: [], weight: 1 });

/** Vendors of kith.yaml. One whose keys are all missing from the environment is kept, but cannot serve. */
export function vendorsOfConfig(vendors: readonly VendorConfig[], environment: Environment, log: Log): SeedVendor[] {
  return vendors.map((vendor, index) => {
    const keys = vendor.keys.flatMap(({ env, ...rest }) => {
      const secret = environment[env];
      if (secret) return [{ ...rest, secret }];
      log.warn({ vendor: vendor.id, variable: env }, 'a key of kith.yaml is not in the environment');
      return [];
    });
    return {
      id: vendor.id,
      name: vendor.name ?? vendor.id,
      adapter: vendor.adapter,
      source: 'config',
      endpoints: vendor.endpoints,
      keys,
      models: vendor.models.map((model, at) => seedModelOf(model, `models.vendors.${index}.models.${at}`)),
      ready: vendor.keys.length === 0 || keys.length > 0,
    };
  });
}

function seedModelOf(model: VendorConfig['models'][number], place: string): SeedModel {
  return {
    ...model,
    requestTemplate: readConfig(RequestTemplate.optional(), model.requestTemplate, `${place}.requestTemplate`),
    responseParser: readConfig(ResponseParser.optional(), model.responseParser, `${place}.responseParser`),
  };
}

function readConfig<Value>(schema: z.ZodType<Value>, value: unknown, place: string): Value {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `${[place, ...issue.path].join('.')}: ${issue.message}`);
  throw errors.CONFIG_INVALID({ detail: lines.join('\n') });
}

/** The vendors that Kith knows by name: where they are and which models they have, without a key. */
export function wellKnownVendors(environment: Environment): SeedVendor[] {
  const compatible = { label: 'compatible', categories: CHAT, priority: 0 };
  const native = { label: 'native', categories: MEDIA, priority: 0, baseUrl: DASHSCOPE_NATIVE_URL };
  const openAiModel: SeedModel = {
    name: environment.OPENAI_MODEL || 'gpt-5-mini',
    category: 'text',
    capabilities: { json_schema: true, json_object: true, tools: true },
  };
  const known = { source: 'environment', keys: [], ready: false } as const;
  return [
    {
      ...known,
      id: 'deepseek',
      name: 'DeepSeek',
      adapter: 'deepseek',
      endpoints: [at(environment.DEEPSEEK_BASE_URL || DEEPSEEK_BASE_URL)],
      models: DEEPSEEK_MODELS,
    },
    {
      ...known,
      id: 'dashscope',
      name: 'DashScope',
      adapter: 'alibaba',
      endpoints: [{ ...compatible, baseUrl: environment.DASHSCOPE_BASE_URL || DASHSCOPE_BASE_URL }, native],
      models: DASHSCOPE_MODELS,
    },
    {
      ...known,
      id: 'openai',
      name: 'OpenAI-compatible',
      adapter: 'openai-compatible',
      endpoints: [at(environment.OPENAI_BASE_URL || OPENAI_BASE_URL)],
      models: [openAiModel],
    },
  ];
}

/** Vendors whose keys are in the environment, in the order in which they are preferred. */
export function vendorsOfEnvironment(environment: Environment): SeedVendor[] {
  return wellKnownVendors(environment).flatMap((vendor) => {
    const secret = environment[`${vendor.id.toUpperCase()}_API_KEY`];
    return secret ? [{ ...vendor, keys: [key(secret)], ready: true }] : [];
  });
}

const OllamaTags = z.object({ models: z.array(z.object({ name: z.string() })) });
const PROBE_MS = 300;

/** A local Ollama with at least one model, by `OLLAMA_HOST` or where it usually listens. */
export async function vendorOfOllama(environment: Environment): Promise<SeedVendor[]> {
  const { OLLAMA_HOST } = environment;
  // Where nobody named a host, a test or a build must not find one by chance.
  if (!OLLAMA_HOST && (environment.CI || environment.VITEST || environment.KITH_OLLAMA === 'off')) return [];
  const host = OLLAMA_HOST || '127.0.0.1:11434';
  const base = (host.includes('://') ? host : `http://${host}`).replace(/\/+$/, '');
  const names = await fetch(`${base}/api/tags`, { signal: AbortSignal.timeout(PROBE_MS) })
    .then(async (response) => OllamaTags.parse(await response.json()).models.map(({ name }) => name))
    .catch(() => []);
  const models = names.map((name): SeedModel => {
    const embeds = /embed|bge|minilm/i.test(name);
    return embeds
      ? { name, category: 'embedding', capabilities: {} }
      : { name, category: 'text', capabilities: { json_schema: true, json_object: true, tools: true } };
  });
  if (!models.some(({ category }) => category === 'text')) return [];
  const vendor: SeedVendor = {
    id: 'ollama',
    name: 'Ollama',
    adapter: 'openai-compatible',
    source: 'environment',
    endpoints: [at(`${base}/v1`)],
    keys: [],
    models,
    ready: true,
  };
  return [vendor];
}

/**
 * The built-in vendor. Its price cards are copies of real ones, so that the ledger has something to show; they say
 * themselves that no money is meant.
 */
export function vendorOfSimulator(url: string, catalog: PriceCatalog, now: Date): SeedVendor {
  const cardLike = (vendor: string, model: string): unknown[] => {
    const found = catalog.find({ vendor, model, at: now });
    return found
      ? [{ ...found.card, aliases: [], source: `simulator: as ${vendor}/${model}`, note: 'No real money.' }]
      : [];
  };
  const chat = { json_object: true, json_schema: true, tools: true, thinking: true };
  return {
    id: 'simulator',
    name: 'Simulator (built in)',
    adapter: 'deepseek',
    source: 'simulator',
    endpoints: [
      { label: 'chat', baseUrl: `${url}/deepseek/v1`, categories: CHAT, priority: 0 },
      { label: 'native', baseUrl: `${url}/dashscope/api/v1`, categories: MEDIA, priority: 0 },
    ],
    keys: [key('sim-built-in')],
    models: [
      {
        name: 'deepseek-flash-like',
        category: 'text',
        capabilities: chat,
        priceCards: cardLike('deepseek', 'deepseek-flash'),
      },
      {
        name: 'deepseek-pro-like',
        category: 'reasoning',
        capabilities: chat,
        priceCards: cardLike('deepseek', 'deepseek-v4-pro'),
        fallback: 'deepseek-flash-like',
      },
      {
        name: 'embedding-like',
        category: 'embedding',
        capabilities: { batch: 10, dimensions: 256 },
        priceCards: cardLike('dashscope', 'text-embedding-v4'),
      },
      {
        name: 'image-like',
        category: 'text-to-image',
        capabilities: {},
        responseParser: { preset: 'dashscope-image-task' },
        priceCards: cardLike('dashscope', 'qwen-image'),
      },
      {
        name: 'video-like',
        category: 'text-to-video',
        capabilities: {},
        responseParser: { preset: 'dashscope-video-task' },
        priceCards: cardLike('dashscope', 'wan2.5-t2v-preview'),
      },
    ],
    ready: true,
  };
}
