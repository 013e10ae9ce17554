import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { Config } from '../packages/server/src/config/index.ts';
import { type Database, openDatabase, startEmbedded } from '../packages/server/src/db/index.ts';
import { findOfflineModels } from '../packages/server/src/memory/embedders/offline-models.ts';
import { createMemory, type Memory, tokensOf } from '../packages/server/src/memory/index.ts';
import type { Models } from '../packages/server/src/models/port.ts';
import { createLog } from '../packages/server/src/observability/index.ts';

/** How much of the evidence for a question is among the first results: Kith's memory beside plain BM25. */

const Turn = z.object({ speaker: z.string(), dia_id: z.string(), text: z.string() });
const Question = z.object({ question: z.string(), evidence: z.array(z.string()), category: z.number().optional() });
/** The format of LoCoMo: sessions are `session_1`, `session_2` … beside their dates and the speakers' names. */
export const Dataset = z.array(
  z.object({
    sample_id: z.string().optional(),
    conversation: z.record(z.string(), z.unknown()),
    qa: z.array(Question),
  }),
);
export type Dataset = z.infer<typeof Dataset>;

interface Sample {
  name: string;
  turns: { id: string; text: string; previous: string; session: string; number: number }[];
  questions: { text: string; evidence: string[] }[];
}

/** LoCoMo's fifth category has no answer in the conversation, hence no evidence to find. */
const UNANSWERABLE = 5;

export function samplesOf(dataset: Dataset): Sample[] {
  return dataset.map(({ sample_id, conversation, qa }, index) => {
    const sessions = Object.entries(conversation).filter(([key]) => /^session_\d+$/.test(key));
    const turns = sessions.flatMap(([session, said]) => {
      const list = z.array(Turn).parse(said);
      const texts = list.map(({ speaker, text }) => `${speaker}: ${text}`);
      return list.map(({ dia_id }, number) => ({
        id: dia_id,
        text: texts[number] ?? '',
        previous: texts[number - 1] ?? '',
        session,
        number,
      }));
    });
    const known = new Set(turns.map(({ id }) => id));
    const questions = qa
      .filter(({ category }) => category !== UNANSWERABLE)
      .map(({ question, evidence }) => ({ text: question, evidence: evidence.filter((id) => known.has(id)) }))
      .filter(({ evidence }) => evidence.length > 0);
    return { name: sample_id ?? String(index), turns, questions };
  });
}

export interface Quality {
  name: string;
  at5: number;
  at10: number;
}

type Rank = (sample: Sample, question: string) => Promise<string[]> | string[];

export async function measureRetrieval(samples: readonly Sample[]): Promise<Quality[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kith-bench-'));
  const server = await startEmbedded(folder);
  const database = await openDatabase({ kind: 'embedded', socketFolder: server.socketFolder });
  const byWords = open(database, 'none');
  const withVectors = open(database, 'offline');
  try {
    for (const sample of samples) await remember(database, byWords, sample);
    const results = [
      await score('BM25 on the turn (words and characters)', samples, plainRank(plainTokens)),
      await score('BM25 on the turn, with English stems', samples, plainRank(tokensOf)),
      await score('Kith, words', samples, kithRank(byWords)),
    ];
    if (!findOfflineModels()) return results;
    for (const sample of samples) await embedAll(database, withVectors, sample);
    return [...results, await score('Kith, words and offline vectors', samples, kithRank(withVectors))];
  } finally {
    await withVectors.close();
    await database.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function score(name: string, samples: readonly Sample[], rank: Rank): Promise<Quality> {
  let [questions, at5, at10] = [0, 0, 0];
  for (const sample of samples) {
    for (const { text, evidence } of sample.questions) {
      const ranked = await rank(sample, text);
      const share = (count: number) => {
        const first = new Set(ranked.slice(0, count));
        return evidence.filter((id) => first.has(id)).length / evidence.length;
      };
      questions++;
      at5 += share(5);
      at10 += share(10);
    }
  }
  return { name, at5: at5 / questions, at10: at10 / questions };
}

const open = (database: Database, embeddings: 'none' | 'offline') =>
  createMemory({
    config: { ...Config.parse({}).memory, embeddings },
    database,
    models: noModels,
    log: createLog('silent'),
  });

async function remember(database: Database, memory: Memory, { name, turns }: Sample): Promise<void> {
  await database.sql.begin(async (sql) => {
    for (const { id, text, previous, session, number } of turns) {
      const said = { prompt: text, answer: '', previous, recalled: [] };
      await memory.keepTurn(sql, name, said, { thread_id: session, run_id: id, turn: number });
    }
  });
}

const kithRank =
  (memory: Memory): Rank =>
  async ({ name }, query) => {
    const { memories } = await memory.search({ userId: name, query, limit: 10 });
    return memories.map(({ source }) => source.run_id ?? '');
  };

/** Vectors are made in the background of searches; here they are waited for. */
async function embedAll({ sql }: Database, memory: Memory, { name }: Sample): Promise<void> {
  const isPending = async () =>
    (await sql`select 1 from memories where user_id = ${name} and embedding_model is null limit 1`).length > 0;
  while (await isPending()) {
    await memory.search({ userId: name, query: 'hello' });
    await pause(50);
  }
}

const words = new Intl.Segmenter('zh', { granularity: 'word' });
const han = /\p{Script=Han}/u;

function plainTokens(text: string): string[] {
  const segments = [...words.segment(text.normalize('NFKC').toLowerCase())].filter(({ isWordLike }) => isWordLike);
  return segments.flatMap(({ segment }) =>
    han.test(segment) && segment.length > 1 ? [segment, ...segment] : [segment],
  );
}

/** BM25 as the book has it, on each turn by itself. */
function plainRank(tokens: (text: string) => string[]): Rank {
  const cache = new Map<Sample, { id: string; tokens: string[] }[]>();
  return (sample, question) => {
    const documents = cache.get(sample) ?? sample.turns.map(({ id, text }) => ({ id, tokens: tokens(text) }));
    cache.set(sample, documents);
    const average = documents.reduce((sum, document) => sum + document.tokens.length, 0) / documents.length;
    const scores = new Map(documents.map(({ id }) => [id, 0]));
    for (const term of tokens(question)) {
      const holders = documents.filter((document) => document.tokens.includes(term));
      const rarity = Math.log(1 + (documents.length - holders.length + 0.5) / (holders.length + 0.5));
      for (const { id, tokens: own } of holders) {
        const times = own.filter((token) => token === term).length;
        const damping = 1.2 * (0.25 + (0.75 * own.length) / average);
        scores.set(id, (scores.get(id) ?? 0) + (rarity * times * 2.2) / (times + damping));
      }
    }
    return [...scores].sort(([, a], [, b]) => b - a).map(([id]) => id);
  };
}

const unused = async (): Promise<never> => {
  throw new Error('this bench calls no model');
};
const noModels: Models = { generate: unused, structured: unused, embed: unused, modelFor: () => undefined };
