import { z } from 'zod';
import { costOfCall } from './cost.ts';
import { formatPico } from './money.ts';
import { epoch, Instant } from './price-card.ts';
import type { PriceCatalog } from './price-catalog.ts';
import { summarizeUsage } from './raw-usage.ts';

/** Other keys are let through, so that lines of a log or of a test file can be priced as they are. */
const PriceLine = z.object(
  {
    model: z.string({ error: 'model is the name of a model' }).min(1, 'model is empty'),
    at: Instant,
    vendor: z.string({ error: 'vendor is the name of a vendor' }).min(1, 'vendor is empty').nullish(),
    usage: z.record(z.string(), z.unknown(), { error: 'usage is an object as the vendor sent it, or null' }).nullable(),
  },
  { error: 'the line is not a JSON object' },
);

/** `kith price` for one line of standard input: a call as JSON in, its cost or what is wrong with the line as JSON out. */
export function priceLine(line: string, catalog: PriceCatalog): string {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return refusal('LINE_NOT_JSON', null, 'the line is not JSON');
  }
  const parsed = PriceLine.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return refusal('LINE_INVALID', issue?.path.join('.') || null, issue?.message ?? 'the line is not valid');
  }
  const { model, at, vendor, usage } = parsed.data;
  const call = { model, vendor: vendor ?? undefined, at: new Date(epoch(at)), usage: summarizeUsage(usage) };
  const { currency, total, cost_source, card } = costOfCall(call, catalog);
  return JSON.stringify({ currency, total: total === null ? null : formatPico(total), cost_source, card });
}

function refusal(code: string, field: string | null, message: string): string {
  return JSON.stringify({ error: { code, field, message } });
}
