import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '../packages/server/src/config/index.ts';
import { type Database, openDatabase, startEmbedded } from '../packages/server/src/db/index.ts';
import { createMemory, type Memory, tokensOf } from '../packages/server/src/memory/index.ts';
import { signsOf } from '../packages/server/src/memory/search/signs.ts';
import type { Models } from '../packages/server/src/models/port.ts';
import { createLog } from '../packages/server/src/observability/index.ts';

/** How long one user's searches take on the embedded database, who has very many memories. */

const USER = 'someone-with-a-long-memory';
const DIMENSIONS = 384;
const SPACE = 'bench/random';
const BATCH = 1000;
/** Vectors are copied from a pool: their values do not matter for the time it takes to compare them. */
const POOL = 500;

export interface Latency {
  name: string;
  /** Milliseconds. */
  p50: number;
  p95: number;
  worst: number;
  /** Processor time of an average search, the database's included: less at the mercy of what else runs. */
  cpu: number;
  /** The first search, which reads everything. */
  first?: number;
}

export async function measureLatency(sentences: readonly string[], count: number): Promise<Latency[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kith-bench-'));
  const server = await startEmbedded(folder);
  const database = await openDatabase({ kind: 'embedded', socketFolder: server.socketFolder });
  try {
    const random = seeded(1);
    await fill(database, sentences, count, random);
    const questions = Array.from({ length: 200 }, () => phrase(sentences, random));
    return [
      ...(await measure(database, 'words', 'none', questions)),
      ...(await measure(database, 'words and vectors', 'registry', questions)),
    ];
  } finally {
    await database.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  database: Database,
  name: string,
  embeddings: 'none' | 'registry',
  questions: readonly string[],
): Promise<Latency[]> {
  const config = { ...Config.parse({}).memory, embeddings };
  const memory = createMemory({ config, database, models: randomVectors(), log: createLog('silent') });
  const search = (query: string) => memory.search({ userId: USER, query, limit: 10 });
  const first = await time(() => search('first'));
  // The compiler's and the backlog's time is not a search's: what the last measurement wrote gets its vectors here.
  await times(questions.slice(0, 20), search);
  const results = [
    { name: `${name}: search`, first, ...(await times(questions, search)) },
    {
      name: `${name}: recall`,
      ...(await times(questions, (query) => memory.recall({ userId: USER, query }))),
    },
    { name: `${name}: search after a write`, ...(await timesAfterWrites(database, memory, questions)) },
  ];
  await memory.close();
  return results;
}

async function times(questions: readonly string[], ask: (query: string) => Promise<unknown>) {
  const taken: number[] = [];
  const before = process.cpuUsage();
  for (const query of questions) taken.push(await time(() => ask(query)));
  const { user, system } = process.cpuUsage(before);
  return { ...quantiles(taken), cpu: (user + system) / 1000 / questions.length };
}

async function timesAfterWrites(database: Database, memory: Memory, questions: readonly string[]) {
  const taken: number[] = [];
  const before = process.cpuUsage();
  const some = questions.slice(0, 60);
  for (const [turn, query] of some.entries()) {
    const source = { thread_id: 'bench', run_id: 'bench', turn };
    const said = { prompt: query, answer: query, previous: query, recalled: [] };
    await database.sql.begin((sql) => memory.keepTurn(sql, USER, said, source));
    taken.push(await time(() => memory.search({ userId: USER, query, limit: 10 })));
  }
  const { user, system } = process.cpuUsage(before);
  return { ...quantiles(taken), cpu: (user + system) / 1000 / some.length };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function quantiles(taken: readonly number[]) {
  const sorted = [...taken].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), worst: at(1) };
}

async function fill(database: Database, sentences: readonly string[], count: number, random: () => number) {
  const pool = Array.from({ length: POOL }, () => [vector(random), vector(random)] as const);
  await database.sql`
    create table bench_pool as select * from jsonb_to_recordset(${database.sql.json(
      pool.map(([text, context], number) => ({
        number,
        embedding: [...text],
        context_embedding: [...context],
        signs: Buffer.from(signsOf(text, context)).toString('hex'),
      })),
    )}) as row (number int, embedding real[], context_embedding real[], signs text)`;
  let previous = '';
  for (let filled = 0; filled < count; filled += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - filled) }, (_, at) => {
      const content = `${phrase(sentences, random)}\n${phrase(sentences, random)} ${phrase(sentences, random)}`;
      const row = { id: randomUUID(), content, context: previous, number: (filled + at) % POOL };
      const terms = { terms: tokensOf(content).join(' '), context_terms: tokensOf(previous).join(' ') };
      previous = content;
      return { ...row, ...terms };
    });
    await database.sql`
      with version as (
        insert into memory_versions (user_id, version) values (${USER}, 1)
        on conflict (user_id) do update set version = memory_versions.version + 1 returning version
      ), row as (
        select * from jsonb_to_recordset(${database.sql.json(rows)}) as row (
          id uuid, content text, context text, terms text, context_terms text, number int)
        join bench_pool using (number)
      ), kept as (
        insert into memories (user_id, revision, kind, id, content, context, terms, context_terms, embedding_model, signs)
        select ${USER}, version, 'turn', id, content, context, terms, context_terms, ${SPACE}, decode(signs, 'hex')
        from row, version
      )
      insert into memory_vectors (memory_id, user_id, model, embedding, context_embedding)
      select id, ${USER}, ${SPACE}, embedding, context_embedding from row`;
  }
}

/** Words of the given sentences in another order, with something that is only said here: a number. */
function phrase(sentences: readonly string[], random: () => number): string {
  const pick = () => sentences[Math.floor(random() * sentences.length)] ?? '';
  const [start, end] = [pick(), pick()];
  return `${start.slice(0, start.length / 2)} ${Math.floor(random() * 100_000)} ${end.slice(end.length / 2)}`;
}

const vector = (random: () => number): Float32Array =>
  Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5);

function randomVectors(): Models {
  const random = seeded(2);
  const none = async () => {
    throw new Error('this bench calls no model');
  };
  return {
    generate: none,
    structured: none,
    modelFor: (type) => (type === 'EMBEDDING' ? SPACE : undefined),
    embed: async (_call, texts) => ({ ok: true, value: texts.map(() => [...vector(random)]), bookings: [] }),
  };
}

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
