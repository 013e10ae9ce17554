import { type Json, type JsonObject, KithEvent } from '@kith/protocol';

/**
 * An event in the flat dialect, as plain JSON. The schema is the list of what may go out: internal figures (`inputTokens`,
 * `cost`, `latencyMs`, `model`, …) are not on it. Fields that are null are left out. The order of keys is always the same:
 * the database keeps none, and a frame read again from the log must be the very frame that was sent live.
 */
export function toFlat(event: KithEvent): JsonObject {
  const given = Object.entries(event).filter(([, value]) => value !== null);
  const named = KithEvent.parse(Object.fromEntries(given));
  return Object.fromEntries(Object.entries(named).map(([field, value]) => [field, ordered(value)]));
}

function ordered(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.flatMap((key) => (value[key] === undefined ? [] : [[key, ordered(value[key])]])));
}
