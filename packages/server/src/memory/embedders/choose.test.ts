import { expect, test } from 'vitest';
import { conceptModels } from '../../../test/concept-models.ts';
import { noModels } from '../../../test/no-models.ts';
import { createLog } from '../../observability/index.ts';
import { chooseEmbedder } from './choose.ts';
import type { OfflineModel } from './offline-models.ts';

const log = createLog('silent');
const model: OfflineModel = {
  space: 'offline/small',
  weights: '/nowhere',
  tokenizer: '/nowhere',
  stripAccents: true,
  pooling: 'mean',
  limit: 10,
  language: 'other',
};
const installed = () => ({ runtime: 'file:///nowhere', models: [model] });
const absent = () => undefined;
const registry = conceptModels('vendor/embedding');
const simulator = conceptModels('simulator/embedding-like');

test.each([
  ['auto', registry, installed, 'vendor/embedding'],
  ['auto', noModels, installed, 'offline/small'],
  ['auto', simulator, installed, 'offline/small'],
  ['auto', simulator, absent, undefined],
  ['auto', noModels, absent, undefined],
  ['registry', registry, installed, 'vendor/embedding'],
  ['registry', simulator, installed, 'simulator/embedding-like'],
  ['registry', noModels, installed, undefined],
  ['offline', registry, installed, 'offline/small'],
  ['offline', registry, absent, undefined],
  ['none', registry, installed, undefined],
] as const)('%s', (mode, models, found, space) => {
  expect(chooseEmbedder(mode, models, log, found).current()?.spaceOf('hello')).toBe(space);
});
