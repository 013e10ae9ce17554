import type { CostSource } from '@kith/protocol';
import { type Pico, parsePico, scaleDecimal } from './money.ts';
import type { PriceTier } from './price-card.ts';
import { type CardInForce, cardIdentity, type PriceCatalog, type PriceQuery, tierFor } from './price-catalog.ts';
import type { UsageSummary } from './usage-summary.ts';

/** One line of the bill. */
export interface CostComponent {
  kind: 'input' | 'cache_hit' | 'cache_write' | 'output' | 'output_thinking' | 'image' | 'video_second';
  quantity: number;
  /** CNY per million tokens, per image or per second, as the card says it. */
  price: string;
  amount: Pico;
}

export interface CallCost {
  /** Null is "not known". It is 0 only where the vendor says so, or where the counts and prices make it so. */
  total: Pico | null;
  currency: 'CNY';
  cost_source: CostSource;
  /** The card, band and tier used, in one printable string; null where none was. */
  card: string | null;
  band: string | null;
  /** Which tier of the card; null where it has only one. */
  tier: number | null;
  components: CostComponent[];
}

export interface CallToPrice extends PriceQuery {
  /** Of this one call: tiers do not add up over calls. */
  usage: UsageSummary;
}

/** What one call costs: the vendor's own figure where it is whole, else the price card. */
export function costOfCall(call: CallToPrice, catalog: PriceCatalog): CallCost {
  const { usage } = call;
  if (usage.model_call_records !== 1) throw new RangeError('a cost is computed call by call, then summed');
  if (usage.cost_source === 'provider' && usage.direct_cost !== null) {
    return { ...withoutCard('provider'), total: parsePico(usage.direct_cost) };
  }
  const found = catalog.find(call);
  if (!found) return withoutCard('unpriced');
  const bill = billOf(found, usage);
  if (typeof bill === 'string') return withoutCard(bill);
  return {
    total: bill.components.reduce((sum, { amount }) => sum + amount, 0n),
    currency: 'CNY',
    cost_source: fallbackSource(usage, bill),
    card: cardIdentity(found, bill.tier),
    band: found.band.name,
    tier: bill.tier,
    components: bill.components,
  };
}

export interface MessageCost {
  /** The sum of the known costs; null where none is known. */
  total: Pico | null;
  currency: 'CNY';
  cost_source: CostSource;
  /** Calls whose cost is not known, and not in the total. */
  unknown_calls: number;
}

/** From best to worst: a message is as trustworthy as the least trustworthy of its calls. */
const BY_TRUST: readonly CostSource[] = [
  'provider',
  'catalog_fallback',
  'catalog_fallback_incomplete_provider_cost',
  'incomplete_usage_fallback',
  'unpriced',
];

/** What a message costs: the exact sum of its calls, so that the two ledgers always agree. */
export function sumCosts(costs: readonly Pick<CallCost, 'total' | 'cost_source'>[]): MessageCost {
  const known = costs.flatMap(({ total }) => total ?? []);
  const unknown = costs.length - known.length;
  return {
    total: known.length === 0 && unknown > 0 ? null : known.reduce((sum, total) => sum + total, 0n),
    currency: 'CNY',
    cost_source: sourceOf(new Set(costs.map(({ cost_source }) => cost_source))),
    unknown_calls: unknown,
  };
}

function sourceOf(sources: ReadonlySet<CostSource>): CostSource {
  const worst = BY_TRUST.findLast((source) => sources.has(source)) ?? 'catalog_fallback';
  // Some calls with the vendor's own cost and some without: together that is an incomplete provider cost.
  const mixed = worst === 'catalog_fallback' && sources.has('provider');
  return mixed ? 'catalog_fallback_incomplete_provider_cost' : worst;
}

function withoutCard(source: CostSource): CallCost {
  return { total: null, currency: 'CNY', cost_source: source, card: null, band: null, tier: null, components: [] };
}

function fallbackSource(usage: UsageSummary, bill: Bill): CostSource {
  if (!bill.whole || usage.inconsistencies.length > 0) return 'incomplete_usage_fallback';
  return usage.direct_cost_observed === 1 ? 'catalog_fallback_incomplete_provider_cost' : 'catalog_fallback';
}

interface Bill {
  components: CostComponent[];
  tier: number | null;
  /** False where a figure that has a price was not reported: the bill then covers the known part. */
  whole: boolean;
}
type NoBill = 'incomplete_usage_fallback' | 'unpriced';

function billOf({ band }: CardInForce, usage: UsageSummary): Bill | NoBill {
  if (band.tiers) return billTokens(band.tiers, usage);
  if (band.per_image !== undefined) return billImages(band.per_image, usage);
  return billVideos(band.per_second ?? {}, usage);
}

function billTokens(tiers: readonly PriceTier[], usage: UsageSummary): Bill | NoBill {
  // Embedding models have no output to pay for, and some vendors then report a total, or the input, and nothing else.
  const outputIsFree = tiers.every(({ output }) => scaleDecimal(output, 6) === 0n);
  const input = usage.input_tokens ?? (outputIsFree ? usage.total_tokens : null);
  const output = usage.output_tokens ?? (outputIsFree ? 0 : null);
  const index = tierFor(tiers, input ?? 0);
  const tier = tiers[index];
  if (!tier || (input === null && output === null)) return 'incomplete_usage_fallback';
  return {
    components: [...inputComponents(tier, input ?? 0, usage), ...outputComponents(tier, output ?? 0, usage)],
    tier: tiers.length > 1 ? index : null,
    whole: input !== null && output !== null,
  };
}

function inputComponents(tier: PriceTier, input: number, usage: UsageSummary): CostComponent[] {
  // `cache_type` alone tells an explicit cache from an implicit one, and only the explicit one charges for writing.
  const explicit = usage.cache_type === 'ephemeral';
  // Bounded by the prompt, so that contradictory counts can never make a part of the bill negative.
  const cached = Math.min(usage.cached_prompt_tokens ?? 0, input);
  const written = explicit ? Math.min(usage.cache_creation_tokens ?? 0, input - cached) : 0;
  const hitPrice = (explicit && positive(tier.explicit_cache_hit)) || positive(tier.cache_hit) || tier.input;
  return [
    ...tokens('input', input - cached - written, tier.input),
    ...tokens('cache_hit', cached, hitPrice),
    ...tokens('cache_write', written, positive(tier.explicit_cache_write) ?? tier.input),
  ];
}

function outputComponents(tier: PriceTier, output: number, usage: UsageSummary): CostComponent[] {
  const thought = (usage.reasoning_tokens ?? 0) > 0 && tier.output_thinking !== undefined;
  return tokens(thought ? 'output_thinking' : 'output', output, (thought && tier.output_thinking) || tier.output);
}

function tokens(kind: CostComponent['kind'], quantity: number, price: string): CostComponent[] {
  if (quantity === 0) return [];
  // CNY per million tokens with six decimals is 1e-12 CNY per token.
  return [{ kind, quantity, price, amount: BigInt(quantity) * scaleDecimal(price, 6) }];
}

/** A cache price of 0 is a price left blank, not a gift. */
function positive(price: string | undefined): string | undefined {
  return price !== undefined && scaleDecimal(price, 6) > 0n ? price : undefined;
}

function billImages(price: string, usage: UsageSummary): Bill | NoBill {
  if (usage.images === null) return 'incomplete_usage_fallback';
  const amount = BigInt(usage.images) * parsePico(price);
  return { components: [{ kind: 'image', quantity: usage.images, price, amount }], tier: null, whole: true };
}

function billVideos(prices: Readonly<Record<string, string>>, usage: UsageSummary): Bill | NoBill {
  if (usage.videos.length === 0) return 'incomplete_usage_fallback';
  const components: CostComponent[] = [];
  for (const { seconds, resolution } of usage.videos) {
    // The resolution is the vendor's text: only a key of the card's own may match it.
    const price = prices[resolution !== null && Object.hasOwn(prices, resolution) ? resolution : 'any'];
    if (price === undefined) return resolution === null ? 'incomplete_usage_fallback' : 'unpriced';
    const microseconds = BigInt(Math.round(seconds * 1e6));
    components.push({ kind: 'video_second', quantity: seconds, price, amount: microseconds * scaleDecimal(price, 6) });
  }
  return { components, tier: null, whole: true };
}
