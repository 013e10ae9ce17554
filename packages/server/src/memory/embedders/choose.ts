import type { Config } from '../../config/index.ts';
import type { Models } from '../../models/index.ts';
import type { Log } from '../../observability/index.ts';
import type { Embedder } from './embedder.ts';
import { offlineEmbedder } from './offline.ts';
import { findOfflineModels, type OfflineModels } from './offline-models.ts';
import { registryEmbedder } from './registry.ts';

export interface EmbedderChoice {
  /** Asked anew for each search: the registry may change while the server runs. */
  current(): Embedder | undefined;
  close(): Promise<void>;
}

/** The simulator's vectors are made of words: they would add nothing to a search by words but noise. */
const isSimulated = (modelId: string): boolean => modelId.startsWith('simulator/');

/** `auto`: the registry's model, else the offline ones where they are installed, else none. */
export function chooseEmbedder(
  mode: Config['memory']['embeddings'],
  models: Models,
  log: Log,
  installed: () => OfflineModels | undefined = findOfflineModels,
): EmbedderChoice {
  const found = mode === 'offline' || mode === 'auto' ? installed() : undefined;
  const offline = found ? offlineEmbedder(found, log) : undefined;
  if (mode === 'offline' && !offline) {
    log.warn('memory.embeddings is `offline`, but no offline model is installed: memory is searched by words alone');
  }
  const fromRegistry = () => {
    const modelId = models.modelFor('EMBEDDING');
    if (!modelId || (mode === 'auto' && isSimulated(modelId))) return undefined;
    return registryEmbedder(models, modelId, log);
  };
  return {
    current: () => (mode === 'registry' || mode === 'auto' ? fromRegistry() : undefined) ?? offline,
    close: async () => {
      await offline?.close();
    },
  };
}
