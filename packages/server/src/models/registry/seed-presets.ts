import type { ModelCategory, RequestTemplate, ResponseParser } from '@kith/protocol';
import type { Capabilities } from './entities.ts';

/** A model as it is seeded. */
export interface SeedModel {
  name: string;
  category: ModelCategory;
  capabilities: Capabilities;
  version?: string | undefined;
  contextWindow?: number | undefined;
  maxOutputTokens?: number | undefined;
  requestTemplate?: RequestTemplate | undefined;
  responseParser?: ResponseParser | undefined;
  priceCards?: readonly unknown[] | undefined;
  /** Model id, or name within the vendor. */
  fallback?: string | undefined;
}

export const DEEPSEEK_BASE_URL = 'https://api.deepseek.com';
/** Beijing: the provider's own default is the international site, which knows neither these keys nor these prices. */
export const DASHSCOPE_BASE_URL = 'https://dashscope.aliyuncs.com/compatible-mode/v1';
export const DASHSCOPE_NATIVE_URL = 'https://dashscope.aliyuncs.com/api/v1';
export const OPENAI_BASE_URL = 'https://api.openai.com/v1';

const deepseek: Capabilities = { json_object: true, tools: true, thinking: true };
const qwen: Capabilities = { json_schema: true, json_object: true, tools: true, thinking: true };

/** The first text model serves the stages. */
export const DEEPSEEK_MODELS: readonly SeedModel[] = [
  { name: 'deepseek-flash', category: 'text', capabilities: deepseek },
  { name: 'deepseek-v4-pro', category: 'reasoning', capabilities: deepseek, fallback: 'deepseek-flash' },
];

export const DASHSCOPE_MODELS: readonly SeedModel[] = [
  { name: 'qwen3.7-plus', category: 'text', capabilities: qwen },
  { name: 'qwen3.8-flash', category: 'text', capabilities: qwen },
  { name: 'qwen3.7-max', category: 'reasoning', capabilities: qwen, fallback: 'qwen3.7-plus' },
  { name: 'text-embedding-v4', category: 'embedding', capabilities: { batch: 10, dimensions: 1024 } },
  {
    name: 'qwen-image',
    category: 'text-to-image',
    capabilities: {},
    responseParser: { preset: 'dashscope-image' },
  },
  {
    name: 'wan2.5-t2v-preview',
    category: 'text-to-video',
    capabilities: {},
    responseParser: { preset: 'dashscope-video-task' },
  },
];
