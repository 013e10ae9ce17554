import { z } from 'zod';
import { errors } from '../../errors/index.ts';
import type { Metrics } from '../../observability/index.ts';
import type { App } from '../app.ts';

export interface Health {
  /** Fires when the server is about to stop. */
  draining: AbortSignal;
  /** Fails when the server could not do its work now. */
  checkDatabase(): Promise<unknown>;
}

const PATIENCE_MS = 2_000;

/** Alive, ready, and how it is going. */
export function health(app: App, { draining, checkDatabase }: Health, metrics: Metrics): void {
  // A connection that was busy when the server began to stop would be kept alive until the grace time is over.
  app.addHook('onSend', async (_request, reply) => {
    if (draining.aborted) reply.header('connection', 'close');
  });
  const Status = z.object({ status: z.string() });
  app.get(
    '/healthz',
    { schema: { summary: 'Is the process alive', tags: ['health'], response: { 200: Status } } },
    () => ({
      status: 'ok',
    }),
  );
  app.get(
    '/readyz',
    { schema: { summary: 'Can it take requests', tags: ['health'], response: { 200: Status } } },
    async () => {
      if (draining.aborted) throw errors.NOT_READY({ detail: 'the server is stopping' });
      await within(PATIENCE_MS, checkDatabase()).catch((error) => {
        throw errors.NOT_READY({ detail: 'the database does not answer' }, error);
      });
      return { status: 'ready' };
    },
  );
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
