import { asRecord, isRecord } from './json.ts';

type Schema = Record<string, unknown>;

/** The smallest value that a JSON schema allows, as far as its common keywords tell. */
export function instanceOf(schema: unknown, root: unknown = schema): unknown {
  if (!isRecord(schema)) return {};
  const resolved = resolve(schema, root);
  if ('const' in resolved) return resolved.const;
  if (Array.isArray(resolved.enum)) return resolved.enum[0];
  if ('default' in resolved) return resolved.default;
  switch (typeOf(resolved)) {
    case 'object':
      return objectOf(resolved, root);
    case 'array':
      return Array.from({ length: numberOr(resolved.minItems, 0) }, (_, at) =>
        instanceOf(itemSchema(resolved, at), root),
      );
    case 'string':
      return stringOf(resolved);
    case 'integer':
    case 'number':
      return numberOf(resolved);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

/** Follows `$ref`, takes the first branch of a choice, and joins `allOf`. */
function resolve(schema: Schema, root: unknown): Schema {
  const reference = typeof schema.$ref === 'string' ? lookUp(schema.$ref, root) : undefined;
  if (reference) return resolve({ ...reference, ...withoutKey(schema, '$ref') }, root);
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = schema[keyword];
    const branch = Array.isArray(branches) ? asRecord(branches[0]) : undefined;
    if (branch) return resolve(joined(withoutKey(schema, keyword), branch), root);
  }
  if (!Array.isArray(schema.allOf)) return schema;
  const parts = schema.allOf.flatMap((part) => (isRecord(part) ? [resolve(part, root)] : []));
  return parts.reduce(joined, withoutKey(schema, 'allOf'));
}

function lookUp(reference: string, root: unknown): Schema | undefined {
  const path = reference.replace(/^#\/?/, '').split('/').filter(Boolean);
  return asRecord(
    path.reduce<unknown>((at, key) => asRecord(at)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], root),
  );
}

function joined(one: Schema, other: Schema): Schema {
  const required = [one.required, other.required].flatMap((list) => (Array.isArray(list) ? list : []));
  const properties = { ...asRecord(one.properties), ...asRecord(other.properties) };
  return {
    ...one,
    ...other,
    ...(required.length > 0 ? { required } : {}),
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
  };
}

const withoutKey = (schema: Schema, key: string): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => name !== key));

function typeOf(schema: Schema): string | undefined {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  const known = types.find((type) => typeof type === 'string' && type !== 'null') ?? types[0];
  if (typeof known === 'string') return known;
  return schema.properties || schema.required ? 'object' : schema.items ? 'array' : undefined;
}

function objectOf(schema: Schema, root: unknown): Record<string, unknown> {
  const properties = asRecord(schema.properties) ?? {};
  const required = Array.isArray(schema.required) ? schema.required.filter((key) => typeof key === 'string') : [];
  return Object.fromEntries(required.map((key) => [key, instanceOf(properties[key] ?? {}, root)]));
}

function itemSchema(schema: Schema, at: number): unknown {
  return Array.isArray(schema.prefixItems) ? (schema.prefixItems[at] ?? schema.items) : schema.items;
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '1970-01-01T00:00:00Z',
  date: '1970-01-01',
  time: '00:00:00Z',
  email: 'simulator@example.com',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

function stringOf(schema: Schema): string {
  const format = typeof schema.format === 'string' ? FORMATS[schema.format] : undefined;
  return format ?? 'x'.repeat(numberOr(schema.minLength, 0));
}

function numberOf(schema: Schema): number {
  const step = schema.type === 'integer' ? 1 : 0.5;
  const low = numberOr(schema.minimum, numberOr(schema.exclusiveMinimum, Number.NEGATIVE_INFINITY - 1) + step);
  const high = numberOr(schema.maximum, numberOr(schema.exclusiveMaximum, Number.POSITIVE_INFINITY) - step);
  const value = Math.min(Math.max(0, low), high);
  const multiple = numberOr(schema.multipleOf, 0);
  return multiple > 0 ? Math.ceil(value / multiple) * multiple : value;
}

const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);
