import { randomUUID } from 'node:crypto';
import type { Models } from '../../models/index.ts';
import type { Log } from '../../observability/index.ts';
import { type Embedder, unit } from './embedder.ts';

/** Recall stands at the beginning of a run: better without vectors than late. */
const TIMEOUT_MS = 3000;

/** The EMBEDDING model of the registry. */
export function registryEmbedder(models: Models, modelId: string, log: Log): Embedder {
  return {
    spaces: [modelId],
    isBooked: true,
    spaceOf: () => modelId,
    embed: async (_space, texts, { userId, sessionId, runId, signal }) => {
      const outcome = await models.embed(
        {
          callId: randomUUID(),
          agentType: 'EMBEDDING',
          modelId,
          userId,
          timeoutMs: TIMEOUT_MS,
          ...(sessionId ? { sessionId } : {}),
          ...(runId ? { runId } : {}),
          ...(signal ? { signal } : {}),
        },
        [...texts],
      );
      if (!outcome.ok) {
        log.warn({ err: outcome.error, model: modelId }, 'no embeddings this time: memory is searched by words alone');
        return { vectors: undefined, bookings: outcome.bookings };
      }
      const vectors = outcome.value.map(unit);
      const usable = vectors.filter((vector) => vector !== undefined);
      return { vectors: usable.length === texts.length ? usable : undefined, bookings: outcome.bookings };
    },
  };
}
