import { z } from 'zod';
import { countTokens } from '../tokens.ts';

const DIMENSIONS = 256;

export const EmbeddingRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.string()).min(1)]),
  dimensions: z.int().min(8).max(4096).nullish(),
  encoding_format: z.enum(['float', 'base64']).nullish(),
});
export type EmbeddingRequest = z.infer<typeof EmbeddingRequest>;

export const NativeEmbeddingRequest = z.looseObject({
  model: z.string().min(1),
  input: z.looseObject({ texts: z.array(z.string()).min(1) }),
  parameters: z.looseObject({ dimension: z.int().min(8).max(4096).nullish() }).nullish(),
});
export type NativeEmbeddingRequest = z.infer<typeof NativeEmbeddingRequest>;

export function embed({ model, input, dimensions, encoding_format }: EmbeddingRequest) {
  const texts = typeof input === 'string' ? [input] : input;
  const data = texts.map((text, index) => {
    const vector = vectorOf(text, dimensions ?? DIMENSIONS);
    return { object: 'embedding', index, embedding: encoding_format === 'base64' ? base64(vector) : vector };
  });
  const tokens = totalTokens(texts);
  return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

export function embedNatively({ input, parameters }: NativeEmbeddingRequest, requestId: string) {
  const embeddings = input.texts.map((text, index) => ({
    text_index: index,
    embedding: vectorOf(text, parameters?.dimension ?? DIMENSIONS),
  }));
  return { output: { embeddings }, usage: { total_tokens: totalTokens(input.texts) }, request_id: requestId };
}

const totalTokens = (texts: readonly string[]) => texts.reduce((sum, text) => sum + countTokens(text), 0);
const base64 = (vector: readonly number[]) => Buffer.from(new Float32Array(vector).buffer).toString('base64');

/**
 * A hashed bag of n-grams of length one: texts that share words, or parts of words, or Chinese characters
 * and pairs of them, point the same way. It knows no meaning, only likeness.
 */
export function vectorOf(text: string, dimensions = DIMENSIONS): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const [feature, weight] of features(text.normalize('NFKC').toLowerCase())) {
    const hash = hashOf(feature);
    const at = (hash >>> 1) % dimensions;
    vector[at] = (vector[at] ?? 0) + (hash & 1 ? weight : -weight);
  }
  const length = Math.hypot(...vector);
  // An empty text has no direction; vendors refuse it, a constant is kinder to a search index.
  if (length === 0) return vector.map((_, at) => (at === 0 ? 1 : 0));
  return vector.map((value) => Number((value / length).toFixed(6)));
}

/** Words that say little about what a text is about. */
const COMMON =
  /^(?:an?|the|i|my|me|you|your|it|is|are|am|was|be|of|to|and|or|in|on|at|for|with|do|does|what|who|that|this|user|users|[的了是我你他她它在和有吗呢用户])$/u;
const COMMON_WEIGHT = 0.1;

function* features(text: string): Generator<[string, number]> {
  for (const word of text.match(/[\p{Script=Latin}\p{N}]+/gu) ?? []) {
    const weight = COMMON.test(word) ? COMMON_WEIGHT : 1;
    yield [`word ${stem(word)}`, weight];
    const padded = `<${word}>`;
    for (let at = 0; at + 3 <= padded.length; at += 1) yield [padded.slice(at, at + 3), weight * 0.3];
  }
  for (const run of text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu) ?? []) {
    const characters = [...run];
    for (const [at, character] of characters.entries()) {
      yield [character, COMMON.test(character) ? COMMON_WEIGHT : 0.5];
      const next = characters[at + 1];
      if (next) yield [character + next, COMMON.test(character) || COMMON.test(next) ? 0.3 : 1];
    }
  }
}

/** likes, liked and liking are like. */
const stem = (word: string) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s|e)$/, '') : word.replace(/e$/, ''));

function hashOf(feature: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < feature.length; at += 1) hash = Math.imul(hash ^ feature.charCodeAt(at), 0x01000193) >>> 0;
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}
