import { z } from 'zod';

/** How a cost came about . `unpriced`: no card fits, the cost is unknown and never 0. */
export const CostSource = z.enum([
  'provider',
  'catalog_fallback',
  'catalog_fallback_incomplete_provider_cost',
  'incomplete_usage_fallback',
  'unpriced',
]);
export type CostSource = z.infer<typeof CostSource>;

/** The usage fields that TEXT_MESSAGE_END carries on the wire. Cost, model and latency stay inside. */
export const WireUsage = z.object({
  totalTokens: z.int().nonnegative().optional(),
  cachedPromptTokens: z.int().nonnegative().optional(),
  promptCacheHitTokens: z.int().nonnegative().optional(),
  promptCacheMissTokens: z.int().nonnegative().optional(),
  reasoningTokens: z.int().nonnegative().optional(),
  costSource: CostSource.optional(),
  usageComplete: z.boolean().optional(),
});
export type WireUsage = z.infer<typeof WireUsage>;

/** Tokens and money of a session, a message or a group: tokens as integers, cost as an exact decimal string. */
export const UsageTotals = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  cached_tokens: z.int(),
  reasoning_tokens: z.int(),
  model_calls: z.int(),
  cost: z.string(),
  currency: z.literal('CNY'),
  /** Calls whose cost is unknown (lost, unpriced): the sum is then a lower bound. */
  unpriced_calls: z.int(),
});
export type UsageTotals = z.infer<typeof UsageTotals>;
