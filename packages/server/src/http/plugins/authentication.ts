import type { FastifyRequest } from 'fastify';
import { errors } from '../../errors/index.ts';
import type { Caller, Credentials, Identity } from '../../identity/index.ts';
import type { App } from '../app.ts';
import type { RateLimits } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For EventSource and WebSocket, which cannot set headers: the token may stand in the query as `access_token`. */
    tokenInQuery?: boolean;
  }
}

/** Every request under this app has a caller, or is refused; either way it is counted. */
export function authentication(app: App, identity: Identity, limits: RateLimits): void {
  // Set before any handler runs; the placeholder only fixes the shape of the object.
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request, reply) => {
    if (app.draining.aborted) throw errors.NOT_READY({ detail: 'the server is stopping' });
    request.caller = await identity.identify(credentialsOf(request)).catch(async (error): Promise<Caller> => {
      await limits.countStranger(request, reply);
      throw error;
    });
    await limits.countCaller(request, reply);
  });
}

function credentialsOf(request: FastifyRequest): Credentials {
  const { headers } = request;
  const credentials: Credentials = {};
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer) credentials.bearer = bearer;
  const { 'x-user-id': userId, 'x-user-role': role, 'x-on-behalf-of': onBehalfOf } = headers;
  if (typeof userId === 'string') credentials.userId = userId;
  if (typeof role === 'string') credentials.role = role;
  if (typeof onBehalfOf === 'string') credentials.onBehalfOf = onBehalfOf;
  if (request.routeOptions.config.tokenInQuery) {
    const token = new URL(request.url, 'http://localhost').searchParams.get('access_token');
    if (token) credentials.queryToken = token;
  }
  return credentials;
}
