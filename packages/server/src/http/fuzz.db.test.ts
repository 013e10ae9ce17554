import { JsonObject } from '@kith/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testKith } from '../../test/kith.ts';
import { startRun } from '../../test/wire.ts';

const kith = await testKith({ config: { server: { rateLimit: { max: 1_000_000 } } } });
const admin = kith.as('fuzz', 'admin');
const { threadId, runId } = await startRun(admin, '你好');

const Parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  schema: z.unknown().optional(),
});
const Operation = z.object({
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown().optional() })) }).optional(),
});
type Operation = z.infer<typeof Operation>;
const { body } = await admin.get('/openapi.json');
const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }).parse(body);
const routes = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation: Operation.parse(operation),
  })),
);

/** Anything that can stand where a text is wanted: real names, hostile ones, and nonsense. */
const word = fc.oneof(
  fc.constantFrom(
    threadId,
    runId,
    'me',
    'default',
    '0',
    '-1',
    '1e9',
    'null',
    '../..',
    '%00',
    "' or 1=1 --",
    '\u0000',
    '\ud800',
    '😀'.repeat(80),
  ),
  fc.string({ maxLength: 30 }),
  fc.uuid(),
);
const anything = fc.oneof(fc.jsonValue({ maxDepth: 3 }), word, fc.constantFrom({}, [], '', 0, -1, 1e308, true, null));

/** What a schema asks for, so that requests get past the first check; with `junk`, here and there something else. */
function instanceOf(schema: unknown, junk: boolean, depth = 0): fc.Arbitrary<unknown> {
  const { success, data } = JsonObject.safeParse(schema);
  if (!success || depth > 8) return anything;
  const inner = (part: unknown) =>
    junk
      ? fc.oneof({ weight: 12, arbitrary: instanceOf(part, junk, depth + 1) }, { weight: 1, arbitrary: anything })
      : instanceOf(part, junk, depth + 1);
  const options = data.anyOf ?? data.oneOf;
  if (Array.isArray(data.type)) return fc.oneof(...data.type.map((type) => inner({ ...data, type })));
  if (Array.isArray(options)) return fc.oneof(...options.map(inner));
  if (Array.isArray(data.enum)) return fc.constantFrom(...data.enum);
  if ('const' in data) return fc.constant(data.const);
  if (data.type === 'string') return data.format === 'date-time' ? fc.constant('2026-11-15T10:00:00Z') : textOf(data);
  if (data.type === 'null') return fc.constant(null);
  if (data.type === 'boolean') return fc.boolean();
  if (data.type === 'integer') return fc.integer({ min: Math.max(0, Number(data.minimum ?? 0)), max: 100 });
  if (data.type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (data.type === 'array') return fc.array(inner(data.items), { maxLength: 3 });
  if (data.type !== 'object' || !data.properties) return fc.dictionary(word, anything, { maxKeys: 3 });
  const fields = Object.fromEntries(
    Object.entries(JsonObject.parse(data.properties)).map(([name, part]) => [name, inner(part)]),
  );
  const required = Array.isArray(data.required) ? data.required.map(String) : [];
  return fc.record(fields, { requiredKeys: Object.keys(fields).filter((name) => required.includes(name)) });
}

const textOf = ({ minLength }: JsonObject) =>
  Number(minLength ?? 0) > 0 ? word.filter((text) => text.trim() !== '') : word;
const wanted = (schema: unknown) =>
  fc.oneof(
    { weight: 6, arbitrary: instanceOf(schema, false) },
    { weight: 3, arbitrary: instanceOf(schema, true) },
    { weight: 1, arbitrary: anything },
  );

function requestOf(path: string, operation: Operation) {
  const values = (place: string) => {
    const here = operation.parameters.filter((parameter) => parameter.in === place);
    const fields = Object.fromEntries(
      here.map(({ name, schema }) => [name, fc.oneof(instanceOf(schema, false), word)]),
    );
    const required = here.filter((parameter) => place === 'path' || parameter.required).map(({ name }) => name);
    return fc.record(fields, { requiredKeys: required });
  };
  const schema = operation.requestBody?.content['application/json']?.schema;
  return fc.record({
    path: values('path').map((given) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => escaped(`${given[name]}`) || 'x'),
    ),
    query: fc.oneof(
      { weight: 4, arbitrary: values('query') },
      { weight: 1, arbitrary: fc.dictionary(word, word, { maxKeys: 2 }) },
    ),
    body: operation.requestBody ? wanted(schema) : fc.constant(undefined),
    raw: fc.oneof(
      { weight: 15, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('{', '"', '[1,', '{"a":1}{', '\u0000', '{"__proto__":{"x":1}}') },
    ),
  });
}

/** A lone surrogate cannot stand in an address: clients do not send it. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed());

// A stream may have to wait for its run: what matters here is how it began.
const PATIENCE_MS = 2000;

async function send(method: string, path: string, query: Record<string, unknown>, payload: string | undefined) {
  const search = Object.entries(query)
    .map(([name, value]) => `${escaped(name)}=${escaped(`${value}`)}`)
    .join('&');
  const response = await admin.fetch(`${path}?${search}`, {
    method,
    signal: AbortSignal.timeout(10_000),
    ...(payload === undefined ? {} : { body: payload, headers: { 'content-type': 'application/json' } }),
  });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream) await Promise.race([response.text(), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  else await response.arrayBuffer();
  return response;
}

test.each(routes.map(({ method, path, operation }) => [method, path, operation] as const))(
  '%s %s bears whatever is sent to it',
  async (method, path, operation) => {
    await fc.assert(
      fc.asyncProperty(requestOf(path, operation), async ({ path: address, query, body: given, raw }) => {
        const payload = operation.requestBody ? (raw ?? JSON.stringify(given)) : undefined;
        const { status, headers } = await send(method, address, query, payload);
        expect(status).toBeLessThan(500);
        if (status >= 400) expect(headers.get('content-type')).toContain('application/problem+json');
      }),
      { numRuns: 30 },
    );
    expect((await admin.get('/healthz')).status).toBe(200);
  },
  60_000,
);
