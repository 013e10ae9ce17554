import { type Json, JsonObject, type ToolError, type ToolOutput, type UiHints } from '@kith/protocol';
import type { z } from 'zod';

interface Telling {
  /** What was done, in the user's language. */
  summary: string;
  hints?: UiHints;
  /** Some of it failed. */
  partial?: boolean;
}

/** What a method hands back. Its result is held to its schema too: what is not in there never reaches a model. */
export function done<Result>(schema: z.ZodType<Result>, result: Result, telling: Telling): ToolOutput {
  const checked: unknown = JSON.parse(JSON.stringify(schema.parse(result)));
  return {
    status: telling.partial ? 'partial' : 'success',
    summary: telling.summary,
    result: JsonObject.parse(checked),
    error: null,
    ...(telling.hints ? { ui_hints: telling.hints } : {}),
  };
}

export function failed(error: ToolError): ToolOutput {
  return { status: 'failure', summary: error.message, result: {}, error };
}

/** PostgreSQL keeps no NUL and no half of a surrogate pair, in text or JSON; tools from outside may send either. */
export const storableText = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

export function storable(value: Json): Json {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  return value !== null && typeof value === 'object' ? storableObject(value) : value;
}

export const storableObject = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, inner]) => [storableText(key), storable(inner)]));
