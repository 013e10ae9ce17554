import type { JsonObject } from '@kith/protocol';

/** For values that came out of JSON.parse: an object is then a JSON object, and there is no need to walk it. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
