import type { Models } from '../src/models/port.ts';
import { noModels } from './no-models.ts';

/** Words that mean the same, in both languages. */
const concepts = [
  ['cat', 'cats', 'feline', 'kitten', '猫'],
  ['dog', 'dogs', 'puppy', '狗'],
  ['doctor', 'physician', '医生'],
  ['car', 'automobile', '汽车'],
  ['trip', 'journey', 'travel', '旅行'],
];

export interface ConceptModels extends Models {
  /** The texts of every call so far. */
  calls: string[][];
  /** Whether the vendor can be reached. */
  isUp: boolean;
}

/** An embedding model that knows a few meanings and nothing else: a text's vector says which of them it mentions. */
export function conceptModels(modelId = 'test/concepts'): ConceptModels {
  const calls: string[][] = [];
  return {
    ...noModels,
    calls,
    isUp: true,
    modelFor: (agentType) => (agentType === 'EMBEDDING' ? modelId : undefined),
    async embed(call, texts) {
      calls.push(texts);
      if (!this.isUp) return noModels.embed(call, texts);
      return { ok: true, value: texts.map(vectorOf), bookings: [] };
    },
  };
}

function vectorOf(text: string): number[] {
  const mentioned = concepts.map((words) => (words.some((word) => text.toLowerCase().includes(word)) ? 1 : 0));
  return [...mentioned, 0.1];
}
