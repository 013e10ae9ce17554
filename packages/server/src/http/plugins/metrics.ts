import type { Metrics } from '../../observability/index.ts';
import type { App } from '../app.ts';
import { pathOf } from '../path.ts';

/** One line and one observation per request. The query stays out of both: it may hold a token. */
export function metricsAndLog(app: App, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const { method } = request;
    const status = reply.statusCode;
    const isStream = String(reply.raw.getHeader('content-type') ?? '').startsWith('text/event-stream');
    // A stream lasts as long as its reader stays: it would say nothing about how fast we answer.
    if (!isStream) metrics.httpRequests.observe({ method, route, status }, reply.elapsedTime / 1000);
    const isProbe = route === '/healthz' || route === '/readyz' || route === '/metrics';
    request.log[isProbe ? 'debug' : 'info'](
      { method, path: pathOf(request.url), status, ms: Math.round(reply.elapsedTime), userId: request.caller?.userId },
      'request',
    );
  });
}
