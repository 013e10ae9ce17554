import { calcPrice, type Provider } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costOfCall, sumCosts } from './cost.ts';
import { PICO_LIMIT, scaleDecimal } from './money.ts';
import type { PriceTier } from './price-card.ts';
import { type CardInForce, priceCatalog, shippedPriceBook } from './price-catalog.ts';
import { summarizeUsage } from './raw-usage.ts';

const book = shippedPriceBook();
const catalog = priceCatalog(book.cards, book.calendars);
const RUNS = { numRuns: 500 };

const YEAR = { min: new Date('2026-01-01T00:00:00+08:00'), max: new Date('2026-12-31T23:59:59+08:00') };
const instants = fc.date({ ...YEAR, noInvalidDate: true });
const tokenModels = [...new Set(book.cards.filter(({ bands }) => bands[0]?.tiers).map(({ model }) => model))];
const edges = [32_000, 128_000, 256_000, 1_000_000].flatMap((edge) => [edge - 1, edge, edge + 1]);

interface Call {
  input: number;
  output: number;
  cached: number;
  written: number;
  reasoning: number;
  explicit: boolean;
}

/** Consistent usage, with prompts on and around the edges of the tiers. */
const calls: fc.Arbitrary<Call> = fc
  .record({
    input: fc.oneof(fc.integer({ min: 1, max: 1_200_000 }), fc.constantFrom(...edges)),
    output: fc.integer({ min: 1, max: 100_000 }),
    shares: fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })),
    thinks: fc.boolean(),
    explicit: fc.boolean(),
  })
  .map(({ input, output, shares: [hit, write], thinks, explicit }) => {
    const cached = Math.floor((input * hit) / 100);
    const written = explicit ? Math.floor(((input - cached) * write) / 100) : 0;
    return { input, output, cached, written, reasoning: thinks ? output : 0, explicit };
  });

function usageOf({ input, output, cached, written, reasoning, explicit }: Call) {
  const cache = explicit ? { cache_creation_input_tokens: written, cache_type: 'ephemeral' } : {};
  return summarizeUsage({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, ...cache },
    completion_tokens_details: { reasoning_tokens: reasoning },
  });
}

const costOf = (model: string, at: Date, call: Call) => costOfCall({ model, at, usage: usageOf(call) }, catalog);

/** Our card as the oracle's prices: numbers per million, scaled so that each is a whole number of pico per token. */
function oracleProvider(model: string, tiers: readonly PriceTier[], call: Call): Provider {
  const tiered = (read: (tier: PriceTier) => string) => {
    const prices = tiers.map((tier) => ({ start: tier.gt, price: Number(scaleDecimal(read(tier), 6)) }));
    return { base: prices[0]?.price ?? 0, tiers: prices.slice(1) };
  };
  const hit = (tier: PriceTier) => (call.explicit ? (tier.explicit_cache_hit ?? tier.cache_hit) : tier.cache_hit);
  const prices = {
    input_mtok: tiered(({ input }) => input),
    cache_read_mtok: tiered((tier) => hit(tier) ?? tier.input),
    cache_write_mtok: tiered((tier) => tier.explicit_cache_write ?? tier.input),
    output_mtok: tiered(({ output, output_thinking }) => (call.reasoning > 0 && output_thinking) || output),
  };
  return { id: 'ours', name: 'ours', api_pattern: '.*', models: [{ id: model, match: { equals: model }, prices }] };
}

function oracleTotal({ card, band }: CardInForce, call: Call): bigint {
  const usage = {
    input_tokens: call.input,
    output_tokens: call.output,
    cache_read_tokens: call.cached,
    cache_write_tokens: call.written,
  };
  const provider = oracleProvider(card.model, band.tiers ?? [], call);
  const price = calcPrice(usage, card.model, { provider })?.total_price ?? Number.NaN;
  // The oracle divides by a million in floats. Totals stay below 2^47 pico, where a float's step is 1/32: a few such
  // errors cannot reach a half, so rounding gives back the integer exactly.
  const total = price * 1e6;
  expect(total).toBeLessThan(2 ** 47);
  return BigInt(Math.round(total));
}

describe('the cost of a call', () => {
  test('equals an independent calculator on every shipped card that charges tokens', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tokenModels), instants, calls, (model, at, call) => {
        const found = catalog.find({ model, at });
        fc.pre(found !== null);
        expect(costOf(model, at, call).total).toBe(oracleTotal(found, call));
      }),
      { numRuns: 2_000 },
    );
  });

  test('never shrinks as tokens grow within a tier', () => {
    const growth = fc.record({ input: fc.nat(100_000), output: fc.nat(100_000) });
    fc.assert(
      fc.property(fc.constantFrom(...tokenModels), instants, calls, growth, (model, at, call, more) => {
        const grown = { ...call, input: call.input + more.input, output: call.output + more.output };
        const [before, after] = [costOf(model, at, call), costOf(model, at, grown)];
        fc.pre(before.total !== null && after.total !== null && before.tier === after.tier);
        expect(after.total).toBeGreaterThanOrEqual(before.total);
      }),
      RUNS,
    );
  });

  test('is less, or equal, the more of the prompt was cached', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tokenModels), instants, calls, (model, at, call) => {
        const [some, none] = [
          costOf(model, at, { ...call, written: 0 }),
          costOf(model, at, { ...call, written: 0, cached: 0 }),
        ];
        fc.pre(some.total !== null && none.total !== null);
        expect(some.total).toBeLessThanOrEqual(none.total);
      }),
      RUNS,
    );
  });

  test('is the sum of its components, whatever the call', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tokenModels), instants, calls, (model, at, call) => {
        const { total, components } = costOf(model, at, call);
        fc.pre(total !== null);
        expect(components.reduce((sum, { amount }) => sum + amount, 0n)).toBe(total);
        expect(components.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(call.input + call.output);
      }),
      RUNS,
    );
  });

  test('is the same when one call of a flat model is made as two', () => {
    const halves = fc
      .tuple(calls, calls)
      .map(([left, right]) => [left, { ...right, explicit: left.explicit, written: 0 }] as const);
    const flat = fc.constantFrom('deepseek-v4-pro', 'qwen-max', 'qwen3.7-max', 'text-embedding-v4');
    fc.assert(
      fc.property(flat, instants, halves, (model, at, [left, right]) => {
        const both = {
          ...left,
          input: left.input + right.input,
          output: left.output + right.output,
          cached: left.cached + right.cached,
        };
        const parts = sumCosts([costOf(model, at, left), costOf(model, at, right)]);
        expect(parts.total).toBe(costOf(model, at, both).total);
      }),
      RUNS,
    );
  });
});

describe('the cost of a message', () => {
  const messages = fc.array(fc.tuple(fc.constantFrom(...tokenModels, 'gpt-9'), instants, calls), { maxLength: 8 });

  test('is additive: calls can be summed in any grouping', () => {
    fc.assert(
      fc.property(messages, fc.nat(8), (message, cut) => {
        const costs = message.map((call) => costOf(...call));
        const [left, right] = [sumCosts(costs.slice(0, cut)), sumCosts(costs.slice(cut))];
        const whole = sumCosts(costs);
        expect((left.total ?? 0n) + (right.total ?? 0n)).toBe(whole.total ?? 0n);
        expect(left.unknown_calls + right.unknown_calls).toBe(whole.unknown_calls);
      }),
      RUNS,
    );
  });
});

describe('any usage that a vendor could send', () => {
  const figure = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(null, '7', 2 ** 31 - 1, 2 ** 53), fc.string());
  const details = fc.record(
    { cached_tokens: figure, cache_creation_input_tokens: figure, cache_type: fc.constantFrom('ephemeral', 5) },
    { requiredKeys: [] },
  );
  const body = {
    input_tokens: figure,
    prompt_tokens: figure,
    completion_tokens: figure,
    total_tokens: figure,
    prompt_cache_hit_tokens: figure,
    prompt_cache_miss_tokens: figure,
    prompt_tokens_details: fc.oneof(details, figure),
    completion_tokens_details: fc.record({ reasoning_tokens: figure }),
    images: figure,
    duration: figure,
    resolution: fc.oneof(fc.constantFrom('480p', '1080P', '__proto__'), figure),
    cost: figure,
    currency: fc.constantFrom('CNY', 'USD'),
    time: figure,
  };
  const hostile = fc.oneof(
    fc.record({ ...body, metadata: fc.record(body, { requiredKeys: [] }) }, { requiredKeys: [] }),
    fc.anything(),
  );
  const anyModel = fc.constantFrom(...new Set(book.cards.map(({ model }) => model)));

  test('costs nothing negative, fits the ledger, and is zero only with a reason', () => {
    fc.assert(
      fc.property(anyModel, instants, hostile, (model, at, raw) => {
        const usage = summarizeUsage(raw);
        const { total, cost_source } = costOfCall({ model, at, usage }, catalog);
        if (total === null) {
          expect(cost_source).toMatch(/incomplete_usage_fallback|unpriced/);
          return;
        }
        expect(total).toBeGreaterThanOrEqual(0n);
        expect(total).toBeLessThan(PICO_LIMIT);
        const counted = usage.images === 0 || usage.videos[0]?.seconds === 0 || model.startsWith('text-embedding');
        if (total === 0n && !counted) expect(cost_source).toMatch(/provider|incomplete_usage_fallback/);
      }),
      { numRuns: 5_000 },
    );
  });
});
