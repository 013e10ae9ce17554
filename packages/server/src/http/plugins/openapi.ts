import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import swagger from '@fastify/swagger';
import { Problem } from '@kith/protocol';
import { type FastifySchema, fastify } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { App } from '../app.ts';
import { isApi } from '../path.ts';
import { policyText, strictPolicy } from './security-headers.ts';

const compress = promisify(gzip);

/** The server's own schemas as OpenAPI, and a page to read them. */
export async function openApi(app: App): Promise<void> {
  const toJsonSchema = createJsonSchemaTransform({ zodToJsonConfig: { target: 'draft-2020-12' } });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kith',
        version: '1',
        description:
          'An agent runtime that knows its user. Errors are `application/problem+json` with a stable `code`.',
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A JWT, or a service key (`ksk_…`).' },
          devUser: { type: 'apiKey', in: 'header', name: 'X-User-Id', description: 'Dev auth only.' },
        },
      },
      security: [{ bearer: [] }, { devUser: [] }],
    },
    transform: (route) => {
      const { schema, url } = toJsonSchema(route);
      return { url, schema: isApi(url) ? withProblem(withoutCircles(schema)) : schema };
    },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  docsPage(app);
}

const problem = {
  description: 'An error',
  content: { 'application/problem+json': { schema: z.toJSONSchema(Problem) } },
};

/**
 * Our only recursive schema is "any JSON value", once per place where it stands. The converter refers to such schemas by
 * names that it then leaves out; an empty schema says the same.
 */
function withoutCircles(schema: FastifySchema | undefined): FastifySchema | undefined {
  if (!schema) return undefined;
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    /^#\/components\/schemas\/_*schema\d+$/.test(value?.$ref) ? {} : value,
  );
}

/** A route may come without any schema. */
function withProblem(schema: FastifySchema | undefined): FastifySchema {
  const responses = typeof schema?.response === 'object' ? schema.response : {};
  return { ...schema, response: { ...responses, default: problem } };
}

// Scalar makes its own style sheets, and styles elements one by one.
const docsPolicy = policyText({
  ...strictPolicy,
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ["'self'", 'data:'],
  'worker-src': ["'self'", 'blob:'],
});

const settings = { url: 'openapi.json', withDefaultFonts: false, telemetry: false, agent: { disabled: true } };
const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Kith API</title><link rel="icon" href="data:,"></head>
<body>
<script id="api-reference" type="application/json" data-configuration="${JSON.stringify(settings).replaceAll('"', '&quot;')}"></script>
<script src="docs/scalar.js"></script>
</body>
</html>
`;

/** Everything the page needs comes from here, by relative addresses. */
function docsPage(app: App): void {
  let script: Promise<Buffer> | undefined;
  app.get('/docs', { schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', docsPolicy).send(page),
  );
  app.get('/docs/', { schema: { hide: true } }, (_request, reply) => reply.redirect('../docs'));
  app.get('/docs/scalar.js', { schema: { hide: true } }, async (_request, reply) => {
    script ??= scalarScript();
    return reply
      .type('text/javascript; charset=utf-8')
      .header('content-encoding', 'gzip')
      .header('cache-control', 'public, max-age=86400')
      .send(await script);
  });
}

/** The reader is 4 MB that its package only hands out through a Fastify plugin: asked for when someone opens the page. */
async function scalarScript(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const aside = fastify();
  await aside.register(scalar, { routePrefix: '/docs', configuration: { url: 'openapi.json' } });
  const answer = await aside.inject('/docs/js/scalar.js');
  await aside.close();
  return compress(answer.rawPayload);
}
