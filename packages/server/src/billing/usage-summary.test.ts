import { describe, expect, test } from 'vitest';
import { summarizeUsage } from './raw-usage.ts';
import { mergeUsage } from './usage-summary.ts';

const first = summarizeUsage({
  input_tokens: 100,
  output_tokens: 10,
  time: 0.5,
  cost: '0.1',
  prompt_cache_hit_tokens: 40,
});
const second = summarizeUsage({ input_tokens: 7, output_tokens: 3, time: 1, cost: '0.2' });
const silent = summarizeUsage({ input_tokens: 1, output_tokens: 1 });
const lost = summarizeUsage(null);

describe('the usage of a message with several calls', () => {
  test('is the sum of what is known', () => {
    expect(mergeUsage([first, second])).toMatchObject({
      input_tokens: 107,
      output_tokens: 13,
      total_tokens: 120,
      latency_ms: 1500,
      cached_prompt_tokens: 40,
      reasoning_tokens: null,
      direct_cost: '0.3',
      direct_cost_complete: 1,
      model_call_records: 2,
      usage_records: 2,
      direct_cost_records: 2,
      usage_complete: true,
      cost_source: 'provider',
    });
  });

  test("has an incomplete vendor's cost when one call reported none", () => {
    expect(mergeUsage([first, silent])).toMatchObject({
      direct_cost: '0.1',
      direct_cost_observed: 1,
      direct_cost_complete: 0,
      direct_cost_records: 1,
      cost_source: 'catalog_fallback',
    });
  });

  test('is incomplete when one call ended without usage, and says so', () => {
    const merged = mergeUsage([first, lost, lost]);
    expect(merged).toMatchObject({ input_tokens: 100, model_call_records: 3, usage_records: 1, usage_complete: false });
    expect(merged.inconsistencies).toEqual([{ code: 'USAGE_MISSING', field: 'usage' }]);
  });

  test('does not depend on the order or grouping of the calls', () => {
    const whole = mergeUsage([first, second, silent, lost]);
    expect(mergeUsage([mergeUsage([first, second]), mergeUsage([silent, lost])])).toEqual(whole);
    expect(mergeUsage([lost, silent, second, first])).toEqual(whole);
  });

  test('of one call is that call, and of no call is nothing', () => {
    expect(mergeUsage([first])).toEqual(first);
    expect(mergeUsage([])).toMatchObject({ input_tokens: null, model_call_records: 0, direct_cost: null });
  });

  test('names every kind of cache that was in play', () => {
    const explicit = summarizeUsage({
      input_tokens: 9,
      output_tokens: 1,
      prompt_tokens_details: { cache_type: 'ephemeral' },
    });
    expect(mergeUsage([explicit, first]).cache_type).toBe('ephemeral');
  });
});
