import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What is worth watching, in one place; names are stable. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    httpRequests: new Histogram({
      name: 'kith_http_request_seconds',
      help: 'Time to answer a request',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
    runs: new Counter({ name: 'kith_runs_total', help: 'Runs by how they ended', labelNames: ['status'], registers }),
    runsActive: new Gauge({ name: 'kith_runs_active', help: 'Runs under way in this process', registers }),
    modelCalls: new Histogram({
      name: 'kith_model_call_seconds',
      help: 'Time of model calls',
      labelNames: ['agent_type', 'model', 'status'],
      buckets: [0.1, 0.5, 1, 2, 5, 15, 60],
      registers,
    }),
    modelTokens: new Counter({
      name: 'kith_model_tokens_total',
      help: 'Tokens by direction',
      labelNames: ['model', 'direction'],
      registers,
    }),
    readers: new Gauge({ name: 'kith_stream_readers', help: 'Open event streams', registers }),
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
