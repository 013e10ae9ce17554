import { type Pico, readReportedAmount } from './money.ts';
import { completeSummary, type Inconsistency, type UsageSummary } from './usage-summary.ts';

type Body = Record<string, unknown>;

/**
 * Where vendors write each figure, most direct name first: Kith's own and DashScope's native names, then those of
 * OpenAI, DeepSeek and DashScope's compatible mode. Each list is tried on the usage itself, then on its `metadata`.
 */
const NAMES = {
  input_tokens: ['input_tokens', 'prompt_tokens'],
  output_tokens: ['output_tokens', 'completion_tokens'],
  total_tokens: ['total_tokens'],
  cached_prompt_tokens: ['prompt_tokens_details.cached_tokens', 'input_tokens_details.cached_tokens', 'cached_tokens'],
  prompt_cache_hit_tokens: ['prompt_cache_hit_tokens'],
  prompt_cache_miss_tokens: ['prompt_cache_miss_tokens'],
  cache_creation_tokens: [
    'prompt_tokens_details.cache_creation_input_tokens',
    'input_tokens_details.cache_creation_input_tokens',
  ],
  reasoning_tokens: ['completion_tokens_details.reasoning_tokens', 'output_tokens_details.reasoning_tokens'],
  images: ['images', 'image_count'],
  video_seconds: ['video_seconds', 'output_video_duration', 'video_duration', 'duration', 'seconds'],
} as const;
const CACHE_TYPE = ['prompt_tokens_details.cache_type', 'input_tokens_details.cache_type'];
const RESOLUTION = ['resolution', 'video_resolution', 'SR', 'size'];
const COST = ['cost', 'total_cost'];
const CURRENCY = ['currency', 'cost_currency'];
const YUAN = new Set(['CNY', 'RMB']);

/** Beyond these no figure is believed; they keep every cost within what the ledger can hold. */
const MOST_TOKENS = 2 ** 31 - 1;
const MOST_PIECES = 9_999;

export interface ReportedCost {
  /** The currency of a cost that is reported without one; the built-in vendors mean CNY. */
  costCurrency?: string;
}

/** One call's usage as the vendor reported it, in Kith's form. Null is a call that ended without usage. */
export function summarizeUsage(raw: unknown, { costCurrency = 'CNY' }: ReportedCost = {}): UsageSummary {
  const scopes = scopesOf(raw);
  const figures = readFigures(scopes);
  const { tokens, images, videos } = figures;
  const pieces = images !== null || videos.length > 0;
  const bothSides = tokens.input_tokens !== null && tokens.output_tokens !== null;
  // A total alone counts as usage: DashScope's native embeddings report nothing else.
  const measured = bothSides || tokens.total_tokens !== null || pieces;
  const inconsistencies = [...figures.unreadable, ...contradictions(tokens)];
  if (!measured && tokens.input_tokens === null && tokens.output_tokens === null) {
    inconsistencies.push({ code: 'USAGE_MISSING', field: 'usage' });
  }
  if (tokens.total_tokens === 0 && !pieces) inconsistencies.push({ code: 'NO_TOKENS', field: 'total_tokens' });
  const cost = readCost(scopes, costCurrency);

  return completeSummary(
    {
      ...tokens,
      latency_ms: milliseconds(valuesAt(scopes, ['time'])[0]),
      images,
      videos,
      direct_cost_observed: cost.observed ? 1 : 0,
      model_call_records: 1,
      usage_records: measured ? 1 : 0,
      direct_cost_records: cost.amount === null ? 0 : 1,
      inconsistencies,
    },
    cost.amount,
  );
}

/** Reads every figure by its first readable value; an unreadable one (negative, fractional, text) is named. */
function readFigures(scopes: readonly Body[]) {
  const unreadable: Inconsistency[] = [];
  const read = (field: Figure, accepts: (value: number) => boolean): number | null => {
    const values = valuesAt(scopes, NAMES[field]);
    const readable = values.filter((value) => typeof value === 'number').filter(accepts);
    if (values[0] !== readable[0]) unreadable.push({ code: 'NOT_A_COUNT', field });
    return readable[0] ?? null;
  };
  const tokens = readTokens(scopes, (field) => read(field, isCountUpTo(MOST_TOKENS)));
  const unreadableTokens = [...unreadable];
  const images = read('images', isCountUpTo(MOST_PIECES));
  const seconds = read('video_seconds', (value) => value >= 0 && value <= MOST_PIECES);
  const videos = seconds === null ? [] : [{ seconds, resolution: readResolution(scopes) }];
  // Names as common as `duration` may mean anything where tokens are counted: they are then no fault of the usage.
  return { tokens, images, videos, unreadable: tokens.total_tokens === null ? unreadable : unreadableTokens };
}

type Figure = keyof typeof NAMES;
type TokenFigures = Pick<
  UsageSummary,
  | 'input_tokens'
  | 'output_tokens'
  | 'total_tokens'
  | 'cached_prompt_tokens'
  | 'prompt_cache_hit_tokens'
  | 'prompt_cache_miss_tokens'
  | 'cache_creation_tokens'
  | 'cache_type'
  | 'reasoning_tokens'
>;

function readTokens(scopes: readonly Body[], count: (field: Figure) => number | null): TokenFigures {
  const total = count('total_tokens');
  const hit = count('prompt_cache_hit_tokens');
  const miss = count('prompt_cache_miss_tokens');
  const givenOutput = count('output_tokens');
  const input = count('input_tokens') ?? plus(hit, miss) ?? minus(total, givenOutput);
  const output = givenOutput ?? minus(total, input);
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: total ?? plus(input, output),
    cached_prompt_tokens: count('cached_prompt_tokens') ?? hit,
    prompt_cache_hit_tokens: hit,
    prompt_cache_miss_tokens: miss,
    cache_creation_tokens: count('cache_creation_tokens'),
    cache_type: textAt(scopes, CACHE_TYPE),
    reasoning_tokens: count('reasoning_tokens'),
  };
}

/** Figures that cannot all be true. An unknown one contradicts nothing. */
function contradictions(tokens: TokenFigures): Inconsistency[] {
  const {
    input_tokens: input,
    cached_prompt_tokens: cached,
    prompt_cache_hit_tokens: hit,
    cache_creation_tokens: written,
  } = tokens;
  const split = plus(hit, tokens.prompt_cache_miss_tokens);
  const found: [boolean, Inconsistency['code'], string][] = [
    [differ(tokens.total_tokens, plus(input, tokens.output_tokens)), 'TOTAL_MISMATCH', 'total_tokens'],
    [exceeds(cached, input), 'CACHED_EXCEEDS_INPUT', 'cached_prompt_tokens'],
    [differ(cached, hit), 'CACHED_DISAGREES_WITH_HIT', 'prompt_cache_hit_tokens'],
    [differ(split, input), 'CACHE_SPLIT_MISMATCH', 'prompt_cache_miss_tokens'],
    [exceeds(written, minus(input, cached ?? 0)), 'CACHE_WRITE_EXCEEDS_INPUT', 'cache_creation_tokens'],
    [exceeds(written, 0) && tokens.cache_type === null, 'CACHE_WRITE_WITHOUT_TYPE', 'cache_type'],
    [exceeds(tokens.reasoning_tokens, tokens.output_tokens), 'REASONING_EXCEEDS_OUTPUT', 'reasoning_tokens'],
  ];
  return found.flatMap(([wrong, code, field]) => (wrong ? [{ code, field }] : []));
}

/** The cost a vendor reports, if it is in CNY. Another currency stays in the raw usage and counts as none. */
function readCost(scopes: readonly Body[], costCurrency: string): { observed: boolean; amount: Pico | null } {
  const [reported] = valuesAt(scopes, COST);
  const currency = textAt(scopes, CURRENCY) ?? costCurrency;
  if (reported === undefined || !YUAN.has(currency.toUpperCase())) return { observed: false, amount: null };
  return { observed: true, amount: readReportedAmount(reported) };
}

/** `720P`, `720`, `1280*720` and `SR: 720` all name 720p. */
function readResolution(scopes: readonly Body[]): string | null {
  const text = textAt(scopes, RESOLUTION)?.trim().toLowerCase();
  if (text === undefined) return null;
  const sides = /^(\d+)\s*[*x×]\s*(\d+)$/.exec(text);
  if (sides) return `${Math.min(Number(sides[1]), Number(sides[2]))}p`;
  return /^\d+$/.test(text) ? `${text}p` : text;
}

function milliseconds(seconds: unknown): number | null {
  if (typeof seconds !== 'number') return null;
  const rounded = Math.round(seconds * 1000);
  return isCountUpTo(MOST_TOKENS)(rounded) ? rounded : null;
}

function scopesOf(raw: unknown): Body[] {
  if (!isBody(raw)) return [];
  return isBody(raw.metadata) ? [raw, raw.metadata] : [raw];
}

/** What stands at the paths, scope by scope; null and absent are left out. */
function valuesAt(scopes: readonly Body[], paths: readonly string[]): unknown[] {
  return scopes.flatMap((scope) => paths.map((path) => valueAt(scope, path))).filter((value) => value != null);
}

function valueAt(scope: Body, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isBody(value) ? value[key] : undefined), scope);
}

function textAt(scopes: readonly Body[], paths: readonly string[]): string | null {
  const value = valuesAt(scopes, paths).find((each) => typeof each === 'string' || typeof each === 'number');
  return value === undefined ? null : String(value);
}

function isBody(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCountUpTo(most: number): (value: number) => boolean {
  return (value) => Number.isSafeInteger(value) && value >= 0 && value <= most;
}

function plus(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}

function minus(left: number | null, right: number | null): number | null {
  return left === null || right === null || left < right ? null : left - right;
}

function differ(left: number | null, right: number | null): boolean {
  return left !== null && right !== null && left !== right;
}

function exceeds(left: number | null, right: number | null): boolean {
  return left !== null && right !== null && left > right;
}
