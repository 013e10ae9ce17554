import type { WireUsage } from '@kith/protocol';
import { mergeUsage, parsePico, sumCosts, UsageSummary } from '../billing/index.ts';
import type { ModelCallRow } from '../models/index.ts';

const summariesOf = (bookings: readonly ModelCallRow[]) =>
  bookings.flatMap((call) => (call.usage_summary === null ? [] : [UsageSummary.parse(call.usage_summary)]));

/** What the wire may know of the calls behind a text: counts and where the cost came from, never the cost or the model. */
export function wireUsageOf(bookings: readonly ModelCallRow[]): WireUsage {
  if (bookings.length === 0) return {};
  const usage = mergeUsage(summariesOf(bookings));
  const cost = sumCosts(bookings.map((call) => ({ total: costOf(call), cost_source: call.cost_source ?? 'unpriced' })));
  const counts = {
    totalTokens: usage.total_tokens,
    cachedPromptTokens: usage.cached_prompt_tokens,
    promptCacheHitTokens: usage.prompt_cache_hit_tokens,
    promptCacheMissTokens: usage.prompt_cache_miss_tokens,
    reasoningTokens: usage.reasoning_tokens,
  };
  return {
    ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== null)),
    costSource: cost.cost_source,
    usageComplete: usage.usage_complete && bookings.every((call) => call.usage_summary !== null),
  };
}

const costOf = (call: ModelCallRow) => (call.cost === null ? null : parsePico(call.cost));

/** AG-UI's usage entry of RUN_FINISHED. */
export function runUsageOf(bookings: readonly ModelCallRow[]) {
  const { totalTokens, cachedPromptTokens, reasoningTokens } = wireUsageOf(bookings);
  if (totalTokens === undefined) return [];
  return [
    {
      totalTokens,
      ...(cachedPromptTokens === undefined ? {} : { cachedInputTokens: cachedPromptTokens }),
      ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    },
  ];
}
