import { describe, expect, test } from 'vitest';
import { summarizeUsage } from './raw-usage.ts';
import { UsageSummary } from './usage-summary.ts';

const deepseek = {
  prompt_tokens: 495,
  completion_tokens: 144,
  total_tokens: 639,
  prompt_tokens_details: { cached_tokens: 320 },
  completion_tokens_details: { reasoning_tokens: 118 },
  prompt_cache_hit_tokens: 320,
  prompt_cache_miss_tokens: 175,
};

const codes = (raw: unknown) => summarizeUsage(raw).inconsistencies.map(({ code }) => code);

describe('the usage of one call', () => {
  test("DeepSeek's body fills every field of the summary", () => {
    expect(summarizeUsage(deepseek)).toEqual({
      input_tokens: 495,
      output_tokens: 144,
      total_tokens: 639,
      latency_ms: null,
      cached_prompt_tokens: 320,
      prompt_cache_hit_tokens: 320,
      prompt_cache_miss_tokens: 175,
      cache_creation_tokens: null,
      cache_type: null,
      reasoning_tokens: 118,
      images: null,
      videos: [],
      direct_cost: null,
      direct_cost_observed: 0,
      direct_cost_complete: 0,
      model_call_records: 1,
      usage_records: 1,
      direct_cost_records: 0,
      usage_complete: true,
      cost_source: 'catalog_fallback',
      inconsistencies: [],
    });
  });

  test('a tracked call has direct fields, and its metadata fills in what they leave out', () => {
    const summary = summarizeUsage({ input_tokens: 495, output_tokens: 144, time: 1.2345, metadata: deepseek });
    expect(summary).toEqual({ ...summarizeUsage(deepseek), latency_ms: 1235 });
  });

  test('a direct field stands before a metadata field, and an empty one does not', () => {
    const metadata = { prompt_tokens: 90, completion_tokens: 9, total_tokens: 110, cost: '9' };
    const summary = summarizeUsage({ input_tokens: 100, output_tokens: 10, total_tokens: null, cost: '0.5', metadata });
    expect(summary).toMatchObject({ input_tokens: 100, output_tokens: 10, total_tokens: 110, direct_cost: '0.5' });
  });

  test('DashScope tells an explicit cache by its type', () => {
    const details = { cached_tokens: 0, cache_creation_input_tokens: 1889, cache_type: 'ephemeral' };
    const summary = summarizeUsage({ prompt_tokens: 3000, completion_tokens: 100, prompt_tokens_details: details });
    expect(summary).toMatchObject({ cached_prompt_tokens: 0, cache_creation_tokens: 1889, cache_type: 'ephemeral' });
    expect(summary.inconsistencies).toEqual([]);
  });

  test("DashScope's reasoning tokens may be null, and stay unknown", () => {
    const summary = summarizeUsage({ ...deepseek, completion_tokens_details: { reasoning_tokens: null } });
    expect(summary.reasoning_tokens).toBeNull();
  });

  test('a missing side follows from the total, a missing total from both sides, a missing prompt from the cache', () => {
    expect(summarizeUsage({ prompt_tokens: 30, total_tokens: 42 }).output_tokens).toBe(12);
    expect(summarizeUsage({ completion_tokens: 12, total_tokens: 42 }).input_tokens).toBe(30);
    expect(summarizeUsage({ prompt_tokens: 30, completion_tokens: 12 }).total_tokens).toBe(42);
    const split = { prompt_cache_hit_tokens: 10, prompt_cache_miss_tokens: 20, completion_tokens: 12 };
    expect(summarizeUsage(split)).toMatchObject({ input_tokens: 30, total_tokens: 42, usage_complete: true });
  });

  test('cached tokens are found without prompt_cache_hit_tokens, and with nothing else', () => {
    const { prompt_cache_hit_tokens, prompt_cache_miss_tokens, ...openai } = deepseek;
    expect(summarizeUsage(openai).cached_prompt_tokens).toBe(320);
    const { prompt_tokens_details, ...own } = deepseek;
    expect(summarizeUsage(own).cached_prompt_tokens).toBe(320);
  });

  test('images and seconds of video are counted, whatever the vendor calls them', () => {
    expect(summarizeUsage({ images: 3 })).toMatchObject({ images: 3, usage_complete: true, inconsistencies: [] });
    expect(summarizeUsage({ image_count: 2, width: 1328, height: 1328 }).images).toBe(2);
    const videos = [
      { video_seconds: 5, resolution: '720P' },
      { video_duration: 5, SR: 720 },
      { duration: 5, output_video_duration: 5, input_video_duration: 0, size: '1280*720' },
    ].map((raw) => summarizeUsage(raw).videos);
    expect(videos).toEqual(Array(3).fill([{ seconds: 5, resolution: '720p' }]));
  });

  test('a summary can be stored as JSON and read back', () => {
    const summary = summarizeUsage({ ...deepseek, cost: 0.00012 });
    expect(UsageSummary.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary);
  });
});

describe("a vendor's own cost", () => {
  const used = { input_tokens: 100, output_tokens: 10 };

  test('is complete when it is a non-negative amount in CNY', () => {
    const complete = {
      direct_cost_observed: 1,
      direct_cost_complete: 1,
      direct_cost_records: 1,
      cost_source: 'provider',
    };
    expect(summarizeUsage({ ...used, cost: 1.5e-7 })).toMatchObject({ ...complete, direct_cost: '0.00000015' });
    expect(summarizeUsage({ ...used, cost: '0.5', currency: 'cny' })).toMatchObject({
      ...complete,
      direct_cost: '0.5',
    });
    expect(summarizeUsage({ ...used, metadata: { total_cost: 2 } })).toMatchObject({ ...complete, direct_cost: '2' });
  });

  test.each([-0.1, 'free', { total: 1 }, 1e12])('%j is seen but not booked', (cost) => {
    expect(summarizeUsage({ ...used, cost })).toMatchObject({
      direct_cost: null,
      direct_cost_observed: 1,
      direct_cost_complete: 0,
      direct_cost_records: 0,
      cost_source: 'catalog_fallback',
    });
  });

  test('in another currency is not a cost here, wherever that currency is named', () => {
    const none = {
      direct_cost: null,
      direct_cost_observed: 0,
      direct_cost_complete: 0,
      cost_source: 'catalog_fallback',
    };
    expect(summarizeUsage({ ...used, cost: 0.5, currency: 'USD' })).toMatchObject(none);
    expect(summarizeUsage({ ...used, metadata: { cost: 0.5, currency: 'usd' } })).toMatchObject(none);
    expect(summarizeUsage({ ...used, cost: 0.5 }, { costCurrency: 'USD' })).toMatchObject(none);
  });

  test('does not make up for missing usage', () => {
    expect(summarizeUsage({ cost: 0.5 })).toMatchObject({ usage_complete: false, cost_source: 'catalog_fallback' });
  });
});

describe('usage that cannot be true', () => {
  test.each([
    ['no usage at all', null, 'USAGE_MISSING'],
    ['an empty body', {}, 'USAGE_MISSING'],
    ['text instead of a body', 'usage', 'USAGE_MISSING'],
    ['a negative count', { prompt_tokens: -5, completion_tokens: 10 }, 'NOT_A_COUNT'],
    ['half a token', { prompt_tokens: 0.5, completion_tokens: 10 }, 'NOT_A_COUNT'],
    ['a count as text', { prompt_tokens: '5', completion_tokens: 10 }, 'NOT_A_COUNT'],
    ['an absurd count', { prompt_tokens: 2 ** 53, completion_tokens: 10 }, 'NOT_A_COUNT'],
    ['zero tokens', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, 'NO_TOKENS'],
    ['a total of something else', { prompt_tokens: 5, completion_tokens: 5, total_tokens: 11 }, 'TOTAL_MISMATCH'],
    ['more cached than sent', { ...deepseek, prompt_tokens_details: { cached_tokens: 500 } }, 'CACHED_EXCEEDS_INPUT'],
    ['two cache counts', { ...deepseek, prompt_tokens_details: { cached_tokens: 319 } }, 'CACHED_DISAGREES_WITH_HIT'],
    ['hit and miss beside the prompt', { ...deepseek, prompt_cache_miss_tokens: 1 }, 'CACHE_SPLIT_MISMATCH'],
    [
      'more written than was left',
      {
        prompt_tokens: 100,
        completion_tokens: 1,
        prompt_tokens_details: { cached_tokens: 60, cache_creation_input_tokens: 41, cache_type: 'ephemeral' },
      },
      'CACHE_WRITE_EXCEEDS_INPUT',
    ],
    [
      'a cache write of no type',
      { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cache_creation_input_tokens: 5 } },
      'CACHE_WRITE_WITHOUT_TYPE',
    ],
    [
      'more reasoning than output',
      { prompt_tokens: 9, completion_tokens: 1, completion_tokens_details: { reasoning_tokens: 2 } },
      'REASONING_EXCEEDS_OUTPUT',
    ],
  ])('%s is named', (_, raw, code) => {
    expect(codes(raw)).toContain(code);
  });

  test('a word of another meaning is no fault where tokens are counted, and images count beside them', () => {
    expect(codes({ ...deepseek, duration: 1_250_000_000, images: [] })).toEqual([]);
    expect(codes({ duration: 1_250_000_000 })).toContain('NOT_A_COUNT');
    expect(summarizeUsage({ input_tokens: 9, output_tokens: 2, image_count: 1 }).images).toBe(1);
  });

  test('an unreadable direct field is named, and the metadata is used', () => {
    const summary = summarizeUsage({ input_tokens: -1, output_tokens: 2, metadata: { prompt_tokens: 7 } });
    expect(summary).toMatchObject({
      input_tokens: 7,
      inconsistencies: [{ code: 'NOT_A_COUNT', field: 'input_tokens' }],
    });
  });

  test('a call that ended without usage leaves every count unknown, never zero', () => {
    const summary = summarizeUsage(null);
    expect(summary).toMatchObject({
      input_tokens: null,
      output_tokens: null,
      total_tokens: null,
      usage_complete: false,
    });
    expect(summary).toMatchObject({ model_call_records: 1, usage_records: 0 });
  });
});
