import { validate } from '@scalar/openapi-parser';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../test/app.ts';
import { testKith } from '../../test/kith.ts';

const kith = await testKith();
const alice = kith.as('alice');

test('it is alive and ready', async () => {
  expect(await alice.get('/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await alice.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } });
});

test('it describes itself in valid OpenAPI 3.1, every path with its errors', async () => {
  const { body } = await alice.get('/openapi.json');
  const description = z
    .object({
      openapi: z.literal('3.1.0'),
      paths: z.record(
        z.string(),
        z.record(z.string(), z.object({ responses: z.object({ default: z.unknown() }).or(z.object({})) })),
      ),
    })
    .parse(body);
  const { valid, errors } = await validate(JSON.stringify(body));
  expect(errors).toEqual([]);
  expect(valid).toBe(true);
  const api = Object.entries(description.paths).filter(([path]) => path.startsWith('/api/'));
  expect(api.length).toBeGreaterThan(3);
  for (const [path, methods] of api) {
    for (const [method, { responses }] of Object.entries(methods))
      expect(responses, `${method} ${path}`).toHaveProperty('default');
  }
});

test('the page that shows it needs nothing from elsewhere', async () => {
  const docs = await alice.get('/docs');
  expect(docs.status).toBe(200);
  expect(docs.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(String(docs.body)).not.toMatch(/https?:/);
  const script = await alice.get('/docs/scalar.js');
  expect(script.status).toBe(200);
  expect(String(script.body)).toContain('createApiReference');
  expect((await alice.get('/docs/')).status).toBe(200);
});

test('what it counts can be read by Prometheus, by route and not by address', async () => {
  await alice.get('/api/v1/users/me/profile?secret=1');
  const { body, headers } = await alice.get('/metrics');
  expect(headers.get('content-type')).toContain('text/plain');
  expect(body).toContain('kith_http_request_seconds_count{method="GET",route="/api/v1/users/:user_id/profile"');
  expect(body).not.toContain('secret');
});

test('a server that is about to stop says so, and takes no new requests', async () => {
  const { app, drain } = await testApp({ routes: [async (api) => void api.get('/api/v1/x', async () => ({}))] });
  expect((await app.inject('/readyz')).statusCode).toBe(200);
  drain();
  expect((await app.inject('/readyz')).json()).toMatchObject({ status: 503, code: 'NOT_READY' });
  expect((await app.inject('/api/v1/x')).json()).toMatchObject({ status: 503, code: 'NOT_READY' });
  expect((await app.inject('/healthz')).statusCode).toBe(200);
});

test('a server whose database is away is alive and not ready', async () => {
  const { app, database } = await testApp();
  await database.close();
  expect((await app.inject('/healthz')).statusCode).toBe(200);
  expect((await app.inject('/readyz')).json()).toMatchObject({ status: 503, code: 'NOT_READY' });
});
