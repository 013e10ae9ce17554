import { Worker } from 'node:worker_threads';
import type { Log } from '../../observability/index.ts';
import { type Embedder, unit } from './embedder.ts';
import type { OfflineModel, OfflineModels } from './offline-models.ts';
import type { OfflineAnswer, OfflineQuestion } from './offline-worker.ts';

export interface OfflineEmbedder extends Embedder {
  close(): Promise<void>;
}

const han = /\p{Script=Han}/u;

/** Small models of this machine, one per language. Their thread starts with the first text. */
export function offlineEmbedder({ runtime, models }: OfflineModels, log: Log): OfflineEmbedder {
  const [first] = models;
  if (!first) throw new Error('an offline embedder needs a model');
  const modelOf = (language: OfflineModel['language']) => models.find((model) => model.language === language) ?? first;
  let thread: ReturnType<typeof startThread> | undefined;
  return {
    spaces: models.map((model) => model.space),
    isBooked: false,
    spaceOf: (text) => modelOf(han.test(text) ? 'zh' : 'other').space,
    embed: async (space, texts) => {
      thread ??= startThread({ runtime, models });
      try {
        const vectors = (await thread.ask(space, texts)).map(unit).filter((vector) => vector !== undefined);
        return { vectors: vectors.length === texts.length ? vectors : undefined, bookings: [] };
      } catch (error) {
        log.warn({ err: error }, 'no embeddings this time: memory is searched by words alone');
        return { vectors: undefined, bookings: [] };
      }
    },
    close: async () => {
      await thread?.stop();
    },
  };
}

interface Waiting {
  resolve(vectors: Float32Array[]): void;
  reject(error: unknown): void;
}

function startThread(models: OfflineModels) {
  const worker = new Worker(new URL('./offline-worker.ts', import.meta.url), { workerData: models });
  // A server that has nothing else to do may end.
  worker.unref();
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  let broken: unknown;
  const breakAll = (error: unknown) => {
    broken = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on('error', breakAll);
  worker.on('exit', () => breakAll(new Error('the thread of the offline models has ended')));
  worker.on('message', (answer: OfflineAnswer) => {
    const question = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('vectors' in answer) question?.resolve(answer.vectors);
    else question?.reject(new Error(answer.error));
  });
  return {
    ask: (space: string, texts: readonly string[]): Promise<Float32Array[]> => {
      if (broken) return Promise.reject(broken);
      const id = ++asked;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, space, texts } satisfies OfflineQuestion);
      });
    },
    stop: async () => {
      await worker.terminate();
    },
  };
}
