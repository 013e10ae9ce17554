import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { costOfCall, sumCosts } from './cost.ts';
import { formatPico, parsePico } from './money.ts';
import { PriceCard } from './price-card.ts';
import { priceCatalog } from './price-catalog.ts';
import { summarizeUsage } from './raw-usage.ts';
import { mergeUsage } from './usage-summary.ts';

const Examples = z.object({
  examples: z.array(
    z.object({
      id: z.string(),
      vendor: z.string(),
      model: z.string(),
      at: z.string(),
      usage: z.unknown(),
      band: z.string().optional(),
      tier_index: z.number().nullish(),
      note: z.string().default(''),
      expected: z.object({ currency: z.string(), total: z.string() }),
    }),
  ),
  guards: z.array(z.object({ id: z.string(), usage: z.unknown() })),
});
const fixture = readFileSync(new URL('./fixtures/cost-examples.json', import.meta.url), 'utf8');
const { examples, guards } = Examples.parse(JSON.parse(fixture));

const catalog = priceCatalog();
const NIGHT = '2026-11-16T20:00:00+08:00';
const PEAK = '2026-11-16T10:00:00+08:00';
const JUNE = '2026-06-15T10:00:00+08:00';

function cost(model: string, usage: unknown, at = NIGHT, vendor?: string) {
  return costOfCall({ model, vendor, at: new Date(at), usage: summarizeUsage(usage) }, catalog);
}
const total = (...call: Parameters<typeof cost>) => {
  const amount = cost(...call).total;
  return amount === null ? null : formatPico(amount);
};

describe('worked examples', () => {
  test.each(examples)('$id: $model at $at costs $expected.total $note', (example) => {
    const priced = cost(example.model, example.usage, example.at, example.vendor);
    expect(priced.total).toBe(parsePico(example.expected.total));
    expect(priced).toMatchObject({ currency: example.expected.currency, cost_source: 'catalog_fallback' });
    if (example.band) expect(priced.band).toBe(example.band);
    if (example.tier_index !== undefined) expect(priced.tier).toBe(example.tier_index);
  });
});

describe('guards', () => {
  const guard = (id: string) => cost('deepseek-flash', guards.find((each) => each.id === id)?.usage);

  test('gd-01: more cached than prompt prices no negative miss, and is marked', () => {
    expect(guard('gd-01')).toMatchObject({
      total: parsePico('0.000042'),
      cost_source: 'incomplete_usage_fallback',
      components: [
        { kind: 'cache_hit', quantity: 100 },
        { kind: 'output', quantity: 10 },
      ],
    });
  });

  test('gd-02: cached tokens count without prompt_cache_hit_tokens', () => {
    expect(guard('gd-02')).toMatchObject({ total: parsePico('0.0007574'), cost_source: 'catalog_fallback' });
  });

  test('gd-03: without usage the cost is unknown, not zero', () => {
    expect(guard('gd-03')).toMatchObject({ total: null, cost_source: 'incomplete_usage_fallback', card: null });
  });
});

describe('where a cost comes from', () => {
  const used = { input_tokens: 1000, output_tokens: 100 };

  test("the vendor's own cost is booked as it is, and needs no card", () => {
    expect(cost('nobody-knows', { ...used, cost: '0.0123' })).toEqual({
      total: parsePico('0.0123'),
      currency: 'CNY',
      cost_source: 'provider',
      card: null,
      band: null,
      tier: null,
      components: [],
    });
    expect(total('deepseek-flash', { ...used, cost: 0 })).toBe('0');
  });

  test.each([-1, 'much', {}])("a vendor's cost of %j is no cost: the card is used, and that is told", (reported) => {
    expect(cost('deepseek-flash', { ...used, cost: reported })).toMatchObject({
      total: parsePico('0.0014'),
      cost_source: 'catalog_fallback_incomplete_provider_cost',
    });
  });

  test('a cost in dollars is never booked as yuan', () => {
    const dollars = { ...used, cost: 0.5, currency: 'USD' };
    expect(cost('deepseek-flash', dollars)).toMatchObject({
      total: parsePico('0.0014'),
      cost_source: 'catalog_fallback',
    });
    expect(cost('nobody-knows', dollars)).toMatchObject({ total: null, cost_source: 'unpriced' });
  });

  test('without a card the cost is unknown, not zero', () => {
    expect(cost('nobody-knows', used)).toMatchObject({ total: null, cost_source: 'unpriced', card: null });
    expect(cost('deepseek-chat', used)).toMatchObject({ total: null, cost_source: 'unpriced', card: null });
  });

  test('half a usage is priced for what is known, and marked', () => {
    const half = { total: parsePico('0.001'), cost_source: 'incomplete_usage_fallback' };
    expect(cost('deepseek-flash', { prompt_tokens: 1000 })).toMatchObject(half);
    expect(cost('deepseek-flash', { prompt_tokens: 1000, completion_tokens: -1 })).toMatchObject(half);
    expect(cost('deepseek-flash', { total_tokens: 1000 })).toMatchObject({ total: null });
  });

  test('an embedding may report its input or its total alone', () => {
    const whole = { total: parsePico('0.000013'), cost_source: 'catalog_fallback' };
    expect(cost('text-embedding-v4', { total_tokens: 26 })).toMatchObject(whole);
    expect(cost('text-embedding-v4', { prompt_tokens: 26 })).toMatchObject(whole);
    expect(cost('text-embedding-v4', { prompt_tokens: 26, total_tokens: 26 })).toMatchObject(whole);
  });
});

describe('the bill', () => {
  test('says what was counted at which price, and which card, band and tier said so', () => {
    const usage = {
      prompt_tokens: 200_000,
      completion_tokens: 10,
      prompt_tokens_details: { cached_tokens: 50_000 },
      completion_tokens_details: { reasoning_tokens: 1 },
    };
    expect(cost('qwen-plus', usage, JUNE)).toEqual({
      total: parsePico('0.38424'),
      currency: 'CNY',
      cost_source: 'catalog_fallback',
      card: 'dashscope/qwen-plus@2026-01-01T00:00+08:00#flat(128000,256000]',
      band: 'flat',
      tier: 1,
      components: [
        { kind: 'input', quantity: 150_000, price: '2.4', amount: parsePico('0.36') },
        { kind: 'cache_hit', quantity: 50_000, price: '0.48', amount: parsePico('0.024') },
        { kind: 'output_thinking', quantity: 10, price: '24', amount: parsePico('0.00024') },
      ],
    });
  });

  test('names the band of the hour', () => {
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    expect(cost('deepseek-flash', usage, PEAK).card).toBe('deepseek/deepseek-flash@2026-09-10T12:00+08:00#peak');
    expect(cost('deepseek-flash', usage, NIGHT).card).toBe('deepseek/deepseek-flash@2026-09-10T12:00+08:00#off');
  });

  test('prices a hit in an explicit cache by its own price, and a write only there', () => {
    const usage = (details: object) => ({ prompt_tokens: 1000, completion_tokens: 0, prompt_tokens_details: details });
    const implicit = { cached_tokens: 600, cache_creation_input_tokens: 300 };
    expect(total('qwen3-max', usage({ cached_tokens: 600 }), JUNE)).toBe('0.0013');
    expect(total('qwen3-max', usage({ ...implicit, cache_type: 'ephemeral' }), JUNE)).toBe('0.0013375');
    expect(total('qwen3-max', usage(implicit), JUNE)).toBe('0.0013');
  });

  test('takes the input price where a cache price is absent or zero', () => {
    const own = PriceCard.parse({
      vendor: 'acme',
      model: 'plain',
      effective_from: '2026-01-01T00:00+08:00',
      bands: [{ name: 'flat', tiers: [{ input: '2', output: '3', cache_hit: '0', explicit_cache_hit: '0' }] }],
    });
    const details = { cached_tokens: 400, cache_creation_input_tokens: 100, cache_type: 'ephemeral' };
    const usage = summarizeUsage({ prompt_tokens: 1000, completion_tokens: 0, prompt_tokens_details: details });
    const call = { model: 'plain', at: new Date(JUNE), usage };
    expect(costOfCall(call, catalog.preferring([own])).total).toBe(parsePico('0.002'));
  });

  test('counts images, and seconds of video by resolution', () => {
    expect(total('qwen-image-max', { image_count: 2 }, JUNE)).toBe('1');
    expect(total('wan2.5-t2v-preview', { duration: 5, SR: 480 }, JUNE)).toBe('1.5');
    expect(total('wan2.5-t2v-preview', { video_seconds: 4.25, resolution: '1080P' }, JUNE)).toBe('4.25');
    expect(total('wan2.5-t2v-preview', { video_seconds: 0.1, resolution: '480p' }, JUNE)).toBe('0.03');
  });

  test('is not guessed for media whose measure or resolution is unknown', () => {
    const unknown = (usage: object) => cost('wan2.5-t2v-preview', usage, JUNE);
    expect(unknown({ duration: 5 })).toMatchObject({ total: null, cost_source: 'incomplete_usage_fallback' });
    expect(unknown({ prompt_tokens: 5 })).toMatchObject({ total: null, cost_source: 'incomplete_usage_fallback' });
    expect(unknown({ duration: 5, SR: 2160 })).toMatchObject({ total: null, cost_source: 'unpriced' });
    expect(unknown({ duration: 5, resolution: 'constructor' })).toMatchObject({ total: null, cost_source: 'unpriced' });
    expect(cost('qwen-image', {}, JUNE)).toMatchObject({ total: null, cost_source: 'incomplete_usage_fallback' });
  });

  test('is made per call: usage merged over calls is refused', () => {
    const one = summarizeUsage({ input_tokens: 100_000, output_tokens: 1 });
    const call = { model: 'qwen-plus', at: new Date(JUNE), usage: mergeUsage([one, one]) };
    expect(() => costOfCall(call, catalog)).toThrow('call by call');
  });
});

describe('the cost of a message', () => {
  const provider = { total: 5n, cost_source: 'provider' } as const;
  const fromCard = { total: 7n, cost_source: 'catalog_fallback' } as const;
  const lost = { total: null, cost_source: 'incomplete_usage_fallback' } as const;
  const unpriced = { total: null, cost_source: 'unpriced' } as const;

  test('is the sum of its calls', () => {
    expect(sumCosts([fromCard, fromCard])).toEqual({
      total: 14n,
      currency: 'CNY',
      cost_source: 'catalog_fallback',
      unknown_calls: 0,
    });
    expect(sumCosts([provider, provider])).toMatchObject({ total: 10n, cost_source: 'provider' });
  });

  test("has an incomplete vendor's cost when only some calls reported one", () => {
    expect(sumCosts([provider, fromCard])).toMatchObject({
      total: 12n,
      cost_source: 'catalog_fallback_incomplete_provider_cost',
    });
  });

  test('keeps what is known when one call is not, and says so', () => {
    expect(sumCosts([fromCard, lost])).toMatchObject({
      total: 7n,
      cost_source: 'incomplete_usage_fallback',
      unknown_calls: 1,
    });
    expect(sumCosts([fromCard, lost, unpriced])).toMatchObject({
      total: 7n,
      cost_source: 'unpriced',
      unknown_calls: 2,
    });
  });

  test('is unknown when no call is known, and zero only when there was none', () => {
    expect(sumCosts([lost, unpriced])).toMatchObject({ total: null, unknown_calls: 2 });
    expect(sumCosts([])).toMatchObject({ total: 0n, unknown_calls: 0 });
  });
});
