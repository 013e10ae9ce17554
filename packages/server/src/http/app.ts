import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController, type RawServerDefault } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Config } from '../config/index.ts';
import type { Identity } from '../identity/index.ts';
import type { Log, Metrics } from '../observability/index.ts';
import { type AccessPolicy, createAccessPolicy } from './access.ts';
import { accessChecks } from './plugins/access.ts';
import { authentication } from './plugins/authentication.ts';
import { consolePages } from './plugins/console.ts';
import { answerWithProblem, problems } from './plugins/errors.ts';
import { type Health, health } from './plugins/health.ts';
import { metricsAndLog } from './plugins/metrics.ts';
import { methodTable } from './plugins/not-found.ts';
import { openApi } from './plugins/openapi.ts';
import { rateLimits } from './plugins/rate-limit.ts';
import { newRequestId, requestIds } from './plugins/request-id.ts';
import { schemas } from './plugins/schemas.ts';
import { securityHeaders } from './plugins/security-headers.ts';

/** Fastify with Zod schemas: what a file of routes gets. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** A file of routes; its urls are complete (`/api/v1/…`). */
export type Routes = (app: App) => Promise<void>;

export interface AppOptions {
  config: Pick<Config, 'auth' | 'server'>;
  log: Log;
  metrics: Metrics;
  identity: Identity;
  /** The routes under /api: they know their caller and count towards the rate limit. */
  routes: readonly Routes[];
  health: Health;
  /** Where the built console is. */
  consoleFolder: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Which hosts and origins may talk to this server. */
    access: AccessPolicy;
    /** Fires when the server is about to stop: an open stream ends itself then. */
    draining: AbortSignal;
  }
}

export async function createApp(options: AppOptions): Promise<App> {
  const { config, log, metrics, identity } = options;
  const app: App = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // `metricsAndLog` writes our own line.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.server.bodyLimit,
    trustProxy: config.server.trustProxy,
    genReqId: newRequestId,
    requestIdHeader: false,
    // Thread ids are up to 200 characters, each of which may take nine when it is escaped.
    routerOptions: { maxParamLength: 2000 },
    // Requests that arrive while the server stops are answered by the routes themselves, in our own words.
    return503OnClosing: false,
    frameworkErrors: answerWithProblem,
  }).withTypeProvider<ZodTypeProvider>();
  const access = createAccessPolicy(config);
  app.decorate('access', access);
  app.decorate('draining', options.health.draining);

  methodTable(app);
  schemas(app);
  requestIds(app);
  metricsAndLog(app, metrics);
  problems(app);
  await securityHeaders(app);
  accessChecks(app, access);
  await openApi(app);
  health(app, options.health, metrics);
  await app.register(async (api: App) => {
    authentication(api, identity, await rateLimits(api, config.server.rateLimit));
    for (const routes of options.routes) await api.register(routes);
  });
  await consolePages(app, options.consoleFolder);
  return app;
}
