import type { Json, JsonObject } from '@kith/protocol';

/** How much of a profile an agent gets to read. */
const LIMITS = { text: 512, depth: 4, entries: 64, total: 8192 };

/** Trimmed, made of whole characters, and cut by code point. Doing it twice changes nothing. */
export function readableText(text: string): string {
  // Two units hold any code point: what lies beyond them cannot be among the first 512.
  const start = text.trimStart().slice(0, LIMITS.text * 2);
  return Array.from(start.toWellFormed()).slice(0, LIMITS.text).join('').trimEnd();
}

/** Custom fields with every text cut, and without what is too deep, too many or too much. `clean` sees whole texts first. */
export function readableFields(fields: JsonObject, clean: (text: string) => string = (text) => text): JsonObject {
  const budget = { left: LIMITS.total };
  const text = (value: string): string => {
    const readable = readableText(clean(value));
    budget.left -= readable.length + 1;
    return readable;
  };
  const entriesOf = (holder: Json[] | JsonObject, depth: number): [string, Json][] => {
    const kept: [string, Json][] = [];
    for (const [key, inner] of Object.entries(holder).slice(0, LIMITS.entries)) {
      const name = Array.isArray(holder) ? key : text(key);
      const value = readableValue(inner, depth);
      if (budget.left < 0) break;
      if (value !== undefined) kept.push([name, value]);
    }
    return kept;
  };
  const readableValue = (value: Json, depth: number): Json | undefined => {
    if (typeof value === 'string') return text(value);
    budget.left -= 1;
    if (typeof value !== 'object' || value === null) return value;
    if (depth === LIMITS.depth) return undefined;
    const kept = entriesOf(value, depth + 1);
    return Array.isArray(value) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
  };
  return Object.fromEntries(entriesOf(fields, 1));
}
