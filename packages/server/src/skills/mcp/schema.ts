import { JsonObject } from '@kith/protocol';
import { z } from 'zod';
import { cut } from '../words.ts';

/** The input of an MCP tool: to check calls with, and to show to the planner. */

/** A schema that uses more of JSON Schema than we can read is left to the server itself. */
export function inputOf(schema: unknown): z.ZodType<JsonObject> {
  const parsed = JsonObject.safeParse(schema);
  if (!parsed.success) return JsonObject;
  try {
    return z.fromJSONSchema(parsed.data).pipe(JsonObject);
  } catch {
    return JsonObject;
  }
}

const Node = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(z.json()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  items: z.unknown().optional(),
});

/** `{query: string (what to look for), limit?: integer}` */
export function signatureOf(schema: unknown, depth = 0): string {
  const node = Node.safeParse(schema).data;
  if (!node) return 'any';
  if (node.enum) return cut(node.enum.map((value) => JSON.stringify(value)).join('|'), 200);
  if (node.properties && depth < 3) {
    const fields = Object.entries(node.properties).map(([name, field]) => {
      const told = Node.safeParse(field).data?.description;
      const note = told ? ` (${oneLine(told, 120)})` : '';
      return `${oneLine(name, 60)}${node.required?.includes(name) ? '' : '?'}: ${signatureOf(field, depth + 1)}${note}`;
    });
    return `{${fields.join(', ')}}`;
  }
  if (node.items) return `${signatureOf(node.items, depth + 1)}[]`;
  return [node.type ?? 'any'].flat().join('|');
}

export const oneLine = (text: string, characters: number): string =>
  cut(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim(), characters);
