import { JsonObject } from '@kith/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testKith } from '../../test/kith.ts';
import { startRun } from '../../test/wire.ts';

const kith = await testKith({ config: { server: { rateLimit: { max: 1_000_000 } } } });
const admin = kith.as('fuzz', 'admin');
const { threadId, runId } = await startRun(admin, '你好');

const Parameter = z.object({ name: z.string(), in: z.string(), schema: z.unknown().optional() });
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

/** What a schema asks for, roughly: so that requests also get past the first check. */
function instanceOf(schema: unknown, depth = 0): fc.Arbitrary<unknown> {
  const { success, data } = JsonObject.safeParse(schema);
  if (!success || depth > 6) return anything;
  const options = data.anyOf ?? data.oneOf;
  if (Array.isArray(options)) return fc.oneof(...options.map((option) => instanceOf(option, depth + 1)));
  if (Array.isArray(data.enum)) return fc.constantFrom(...data.enum);
  if ('const' in data) return fc.constant(data.const);
  if (data.type === 'string') return word;
  if (data.type === 'boolean') return fc.boolean();
  if (data.type === 'integer' || data.type === 'number')
    return fc.oneof(fc.nat({ max: 100 }), fc.integer(), fc.double());
  if (data.type === 'array') return fc.array(instanceOf(data.items, depth + 1), { maxLength: 3 });
  if (data.type !== 'object' || !data.properties) return anything;
  const properties = Object.entries(JsonObject.parse(data.properties));
  const required = Array.isArray(data.required) ? data.required.map(String) : [];
  const fields = Object.fromEntries(properties.map(([name, inner]) => [name, oftenAs(instanceOf(inner, depth + 1))]));
  return fc.record(fields, { requiredKeys: Object.keys(fields).filter((name) => required.includes(name)) });
}
const oftenAs = (wanted: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 9, arbitrary: wanted }, { weight: 1, arbitrary: anything });

function requestOf(path: string, operation: Operation) {
  const named = (place: string) =>
    operation.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  const names = (place: string) =>
    fc.record(Object.fromEntries(named(place).map((name) => [name, word])), {
      requiredKeys: place === 'path' ? named(place) : [],
    });
  const schema = operation.requestBody?.content['application/json']?.schema;
  return fc.record({
    path: names('path').map((values) =>
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => escaped(`${values[name]}`) || 'x'),
    ),
    query: fc.oneof(names('query'), fc.dictionary(word, word, { maxKeys: 2 })),
    body: operation.requestBody ? fc.oneof(instanceOf(schema), anything) : fc.constant(undefined),
    raw: fc.option(fc.constantFrom('{', '"', '[1,', '{"a":1}{', '\u0000', '{"__proto__":{"x":1}}'), { freq: 10 }),
  });
}

/** A lone surrogate cannot stand in an address: clients do not send it. */
const escaped = (text: string) => encodeURIComponent(text.toWellFormed());

// A stream may have to wait for its run: what matters here is how it began.
const PATIENCE_MS = 2000;

async function send(method: string, path: string, query: Record<string, string>, payload: string | undefined) {
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
      { numRuns: 25 },
    );
    expect((await admin.get('/healthz')).status).toBe(200);
  },
  60_000,
);
