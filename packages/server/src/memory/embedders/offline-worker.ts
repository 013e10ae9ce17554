import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { OfflineModel, OfflineModels } from './offline-models.ts';
import { type Vocabulary, wordPieces } from './word-pieces.ts';

/** Runs the offline models in a thread of its own: a text takes tens of milliseconds of pure arithmetic. */

/** The part of the ONNX runtime that is used here. */
interface Runtime {
  env: { wasm: { numThreads: number } };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
  InferenceSession: { create(weights: Uint8Array): Promise<Session> };
}
interface Session {
  inputNames: readonly string[];
  run(inputs: Record<string, unknown>): Promise<Record<string, { data: Float32Array; dims: readonly number[] }>>;
}

export interface OfflineQuestion {
  id: number;
  space: string;
  texts: readonly string[];
}
export type OfflineAnswer = { id: number; vectors: Float32Array[] } | { id: number; error: string };

const { runtime: address, models }: OfflineModels = workerData;
const runtime: Runtime = await import(address);
runtime.env.wasm.numThreads = 1;
const loaded = new Map<string, Promise<{ session: Session; vocabulary: Vocabulary }>>();

async function load(model: OfflineModel) {
  const tokenizer: { model: { vocab: Record<string, number> } } = JSON.parse(readFileSync(model.tokenizer, 'utf8'));
  const numbers = new Map(Object.entries(tokenizer.model.vocab));
  const session = await runtime.InferenceSession.create(readFileSync(model.weights));
  return { session, vocabulary: { numbers, stripAccents: model.stripAccents } };
}

async function embed(space: string, text: string): Promise<Float32Array> {
  const model = models.find((candidate) => candidate.space === space);
  if (!model) throw new Error(`no offline model ${space}`);
  const ready = loaded.get(space) ?? load(model);
  loaded.set(space, ready);
  const { session, vocabulary } = await ready;
  const pieces = wordPieces(text, vocabulary, model.limit);
  const tensor = (values: readonly number[]) =>
    new runtime.Tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const inputs: Record<string, unknown> = {
    input_ids: tensor(pieces),
    attention_mask: tensor(pieces.map(() => 1)),
    token_type_ids: tensor(pieces.map(() => 0)),
  };
  const named = Object.fromEntries(session.inputNames.map((name) => [name, inputs[name]]));
  const output = (await session.run(named)).last_hidden_state;
  if (!output) throw new Error(`${space} gave no hidden state`);
  return pool(output.data, output.dims.at(-1) ?? 0, model.pooling);
}

function pool(data: Float32Array, dimensions: number, pooling: OfflineModel['pooling']): Float32Array {
  if (pooling === 'first') return data.slice(0, dimensions);
  const sum = new Float32Array(dimensions);
  for (let at = 0; at < data.length; at++) sum[at % dimensions] = (sum[at % dimensions] ?? 0) + (data[at] ?? 0);
  return sum;
}

let last: Promise<void> = Promise.resolve();
parentPort?.on('message', ({ id, space, texts }: OfflineQuestion) => {
  last = last.then(async () => {
    const vectors: Float32Array[] = [];
    try {
      for (const text of texts) vectors.push(await embed(space, text));
      parentPort?.postMessage({ id, vectors } satisfies OfflineAnswer);
    } catch (error) {
      parentPort?.postMessage({ id, error: String(error) } satisfies OfflineAnswer);
    }
  });
});
