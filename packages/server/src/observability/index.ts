/** Logs that keep secrets to themselves, and metrics. */
export { createLog, type Log } from './log.ts';
export { createMetrics, type Metrics } from './metrics.ts';
