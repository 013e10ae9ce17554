import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { priceCatalog } from './price-catalog.ts';
import { priceLine } from './price-line.ts';

const catalog = priceCatalog();
const priced = (line: unknown) => JSON.parse(priceLine(JSON.stringify(line), catalog));
const call = {
  model: 'deepseek-flash',
  at: '2026-11-16T08:59:59+08:00',
  usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
};

describe('kith price', () => {
  test('prints the cost of a line, and nothing else', () => {
    expect(priceLine(JSON.stringify(call), catalog)).toBe(
      '{"currency":"CNY","total":"0.0014","cost_source":"catalog_fallback","card":"deepseek/deepseek-flash@2026-09-10T12:00+08:00#off"}',
    );
  });

  test('prices the lines of the worked examples as they stand', () => {
    const fixture = readFileSync(new URL('./fixtures/cost-examples.json', import.meta.url), 'utf8');
    const Expected = z.looseObject({ expected: z.object({ total: z.string() }) });
    const { examples } = z.object({ examples: z.array(Expected) }).parse(JSON.parse(fixture));
    expect(examples.map((example) => priced(example).total)).toEqual(examples.map(({ expected }) => expected.total));
  });

  test('says null, never zero, where a cost is not known', () => {
    const unknown = { currency: 'CNY', total: null, card: null };
    expect(priced({ ...call, usage: null })).toEqual({ ...unknown, cost_source: 'incomplete_usage_fallback' });
    expect(priced({ ...call, model: 'gpt-9' })).toEqual({ ...unknown, cost_source: 'unpriced' });
    expect(priced({ ...call, vendor: 'a-reseller' })).toEqual({ ...unknown, cost_source: 'unpriced' });
  });

  test.each([
    ['model', { ...call, model: undefined }],
    ['model', { ...call, model: '' }],
    ['at', { ...call, at: undefined }],
    ['at', { ...call, at: 'yesterday' }],
    ['at', { ...call, at: '2026-11-16T08:59:59' }],
    ['at', { ...call, at: 1_794_790_799 }],
    ['usage', { ...call, usage: undefined }],
    ['usage', { ...call, usage: [1] }],
    ['usage', { ...call, usage: 'much' }],
    ['vendor', { ...call, vendor: 7 }],
  ])('names the field %s that is wrong in a line', (field, line) => {
    expect(priced(line)).toEqual({ error: { code: 'LINE_INVALID', field, message: expect.any(String) } });
  });

  test.each(['', 'nonsense', '{"model":', '7', '[]', 'null'])('refuses %j as a line', (line) => {
    expect(JSON.parse(priceLine(line, catalog)).error).toMatchObject({ code: expect.any(String), field: null });
  });

  test('answers every line with one line, whatever it holds', () => {
    const wild = fc.record({
      model: fc.constantFrom('deepseek-flash', 'qwen-plus'),
      at: fc.constant(call.at),
      usage: fc.object(),
    });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          wild.map((line) => JSON.stringify(line)),
        ),
        (line) => {
          const answer = priceLine(line, catalog);
          expect(answer).not.toContain('\n');
          expect(Object.keys(JSON.parse(answer))).toSatisfy((keys) => keys.length === 1 || keys.length === 4);
        },
      ),
    );
  });
});
