import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { variableNames } from './load.ts';
import { Config } from './schema.ts';

const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8');

interface Key {
  path: string;
  fallback: unknown;
}
type Schema = z.core.JSONSchema.BaseSchema;

/** Every key that can be written, with its default where it is a single value. */
function keysOf(schema: Schema, path: string): Key[] {
  const branches = schema.anyOf ?? schema.oneOf ?? [schema];
  return branches.flatMap((branch): Key[] => {
    if (typeof branch === 'boolean') return [];
    const { properties, items, additionalProperties: any } = branch;
    if (properties)
      return Object.entries(properties).flatMap(([name, inner]) => keysIn(inner, path ? `${path}.${name}` : name));
    if (hasKeys(items)) return keysIn(items, `${path}[]`);
    return hasKeys(any) ? keysIn(any, `${path}.*`) : [{ path, fallback: schema.default }];
  });
}
const keysIn = (schema: unknown, path: string) => (isSchema(schema) ? keysOf(schema, path) : []);
const isSchema = (schema: unknown): schema is Schema => typeof schema === 'object' && schema !== null;
const hasKeys = (schema: unknown) => isSchema(schema) && JSON.stringify(schema).includes('"properties"');

const keys = keysOf(z.toJSONSchema(Config, { io: 'input', unrepresentable: 'any' }), '');

test('every key and its default stand on the page, and no other key does', () => {
  const rows = page.split('\n').filter((line) => /^\| `[a-z]/.test(line));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')));
  const shown = new Map(cells.map(([, key = '', fallback = '']) => [key, fallback]));
  expect([...shown.keys()].sort()).toEqual([...new Set(keys.map((key) => key.path))].sort());
  for (const { path, fallback } of keys) {
    if (fallback === undefined || fallback === '' || typeof fallback === 'object') continue;
    expect(shown.get(path), path).toBe(String(fallback));
  }
});

test('every variable stands on the page', () => {
  for (const name of variableNames) expect(page).toContain(`\`${name}\``);
});
