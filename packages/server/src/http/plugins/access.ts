import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessPolicy } from '../access.ts';
import type { App } from '../app.ts';

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const exposed = 'x-request-id, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset';

/** Host and Origin of every request, WebSocket upgrades included; CORS for the origins that were configured. */
export function accessChecks(app: App, access: AccessPolicy): void {
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers;
    access.check({
      host: request.host,
      origin,
      fetchSite: headerOf(request, 'sec-fetch-site'),
      fetchMode: headerOf(request, 'sec-fetch-mode'),
    });
    if (origin !== undefined) reply.header('vary', 'Origin');
    if (access.isConfigured(origin)) {
      reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', exposed);
      if (isPreflight(request)) return answerPreflight(request, reply);
    }
  });
}

const isPreflight = (request: FastifyRequest) =>
  request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;

// No cookie ever speaks for a user here, so an allowed origin may send whatever headers it likes.
function answerPreflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .header('access-control-allow-methods', methods)
    .header('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
    .header('access-control-max-age', '600')
    .status(204)
    .send();
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}
