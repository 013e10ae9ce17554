import { z } from 'zod';
import { formatPico, type Pico, parsePico } from './money.ts';

/** Null is "the vendor did not say"; it is never turned into 0. */
const Count = z.int().nonnegative().nullable();
const Flag = z.union([z.literal(0), z.literal(1)]);

export const Inconsistency = z.object({
  code: z.enum([
    'USAGE_MISSING',
    'NOT_A_COUNT',
    'NO_TOKENS',
    'TOTAL_MISMATCH',
    'CACHED_EXCEEDS_INPUT',
    'CACHED_DISAGREES_WITH_HIT',
    'CACHE_SPLIT_MISMATCH',
    'CACHE_WRITE_EXCEEDS_INPUT',
    'CACHE_WRITE_WITHOUT_TYPE',
    'REASONING_EXCEEDS_OUTPUT',
  ]),
  field: z.string(),
});
export type Inconsistency = z.infer<typeof Inconsistency>;

/** What a call, or all calls behind a message, used: the vendor's words in one form, ready for a JSON column. */
export const UsageSummary = z.object({
  input_tokens: Count,
  output_tokens: Count,
  total_tokens: Count,
  latency_ms: Count,
  cached_prompt_tokens: Count,
  prompt_cache_hit_tokens: Count,
  prompt_cache_miss_tokens: Count,
  cache_creation_tokens: Count,
  cache_type: z.string().nullable(),
  reasoning_tokens: Count,
  images: Count,
  videos: z.array(z.object({ seconds: z.number().nonnegative(), resolution: z.string().nullable() })),
  /** CNY, a decimal string; null where the vendor reported none, or one that cannot be booked. */
  direct_cost: z.string().nullable(),
  direct_cost_observed: Flag,
  direct_cost_complete: Flag,
  model_call_records: z.int().nonnegative(),
  usage_records: z.int().nonnegative(),
  direct_cost_records: z.int().nonnegative(),
  /** Every model call brought its usage. */
  usage_complete: z.boolean(),
  cost_source: z.enum(['provider', 'catalog_fallback']),
  inconsistencies: z.array(Inconsistency),
});
export type UsageSummary = z.infer<typeof UsageSummary>;

/** The measured part of a summary: all that does not follow from the rest. */
export type UsageMeasures = Omit<
  UsageSummary,
  'direct_cost' | 'direct_cost_complete' | 'usage_complete' | 'cost_source'
>;

/** Adds the fields that follow from the records. */
export function completeSummary(measures: UsageMeasures, directCost: Pico | null): UsageSummary {
  const usageComplete = measures.model_call_records === measures.usage_records;
  const costComplete = directCost !== null && measures.direct_cost_records === measures.model_call_records;
  return {
    ...measures,
    direct_cost: directCost === null ? null : formatPico(directCost),
    direct_cost_complete: costComplete ? 1 : 0,
    usage_complete: usageComplete,
    cost_source: usageComplete && costComplete ? 'provider' : 'catalog_fallback',
  };
}

/**
 * The usage of several calls as one, for the message they made. It is for reading, not for pricing: a tier is chosen
 * per call, so that the cost of a message is the sum of its calls' costs (`sumCosts`).
 */
export function mergeUsage(summaries: readonly UsageSummary[]): UsageSummary {
  const sum = (read: (summary: UsageSummary) => number | null) => sumKnown(summaries.map(read));
  const cacheTypes = new Set(summaries.flatMap(({ cache_type }) => cache_type ?? []));
  const measures: UsageMeasures = {
    input_tokens: sum((each) => each.input_tokens),
    output_tokens: sum((each) => each.output_tokens),
    total_tokens: sum((each) => each.total_tokens),
    latency_ms: sum((each) => each.latency_ms),
    cached_prompt_tokens: sum((each) => each.cached_prompt_tokens),
    prompt_cache_hit_tokens: sum((each) => each.prompt_cache_hit_tokens),
    prompt_cache_miss_tokens: sum((each) => each.prompt_cache_miss_tokens),
    cache_creation_tokens: sum((each) => each.cache_creation_tokens),
    cache_type: cacheTypes.size > 0 ? [...cacheTypes].sort().join('+') : null,
    reasoning_tokens: sum((each) => each.reasoning_tokens),
    images: sum((each) => each.images),
    videos: summaries.flatMap((each) => each.videos),
    direct_cost_observed: summaries.some((each) => each.direct_cost_observed === 1) ? 1 : 0,
    model_call_records: sum((each) => each.model_call_records) ?? 0,
    usage_records: sum((each) => each.usage_records) ?? 0,
    direct_cost_records: sum((each) => each.direct_cost_records) ?? 0,
    inconsistencies: distinct(summaries.flatMap((each) => each.inconsistencies)),
  };
  return completeSummary(measures, sumDirectCosts(summaries));
}

function sumKnown(values: readonly (number | null)[]): number | null {
  return values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null);
}

function sumDirectCosts(summaries: readonly UsageSummary[]): Pico | null {
  const costs = summaries.flatMap(({ direct_cost }) => (direct_cost === null ? [] : [parsePico(direct_cost)]));
  return costs.length > 0 ? costs.reduce((sum, cost) => sum + cost, 0n) : null;
}

function distinct(inconsistencies: readonly Inconsistency[]): Inconsistency[] {
  return [...new Map(inconsistencies.map((each) => [`${each.code} ${each.field}`, each])).values()];
}
