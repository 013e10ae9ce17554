import type { StoredMemoryKind } from '@kith/protocol';
import type { Sql, Transaction } from '../db/index.ts';
import type { Cosines } from './cosines/cosines.ts';
import { bestPositions } from './search/best.ts';
import { lexicalScores } from './search/bm25.ts';
import { fuse, type Signal } from './search/fusion.ts';
import { signScores } from './search/signs.ts';
import { idAt, kindAt, type Snapshot, sizeOf } from './search/snapshot.ts';
import { tokensOf } from './tokens.ts';

/** How many of each signal's best are candidates. Users with fewer memories than that are searched whole. */
const LEXICAL_CANDIDATES = 50;
const VECTOR_CANDIDATES = 80;

export interface Hit {
  id: string;
  score: number;
}

export interface Question {
  userId: string;
  query: string;
  /** The query as a vector, where there is an embedder. */
  vector?: { space: string; values: Float32Array } | undefined;
  kind?: StoredMemoryKind | undefined;
  limit: number;
}

/** Four signals, fused: BM25 and cosine, each on the text and on the text with the one before it. */
export async function findHits(
  sql: Sql | Transaction,
  snapshot: Snapshot,
  cosines: Cosines,
  question: Question,
): Promise<Hit[]> {
  const { userId, vector } = question;
  const lexical = lexicalScores(snapshot, tokensOf(question.query));
  const signs = vector ? signScores(snapshot, vector.space, vector.values) : undefined;
  hideOtherKinds(snapshot, question.kind, [lexical.text, lexical.both], [signs?.text, signs?.both]);

  const candidates = [
    ...new Set([
      ...bestPositions(lexical.text, LEXICAL_CANDIDATES),
      ...bestPositions(lexical.both, LEXICAL_CANDIDATES),
      ...(signs ? bestPositions(signs.text, VECTOR_CANDIDATES, Number.NEGATIVE_INFINITY) : []),
      ...(signs ? bestPositions(signs.both, VECTOR_CANDIDATES, Number.NEGATIVE_INFINITY) : []),
    ]),
  ];
  const ids = candidates.map((position) => idAt(snapshot, position));
  const signals: Signal[] = [
    { values: candidates.map((position) => lexical.text[position] ?? 0), floor: 0 },
    { values: candidates.map((position) => lexical.both[position] ?? 0), floor: 0 },
  ];
  if (vector && ids.length > 0) {
    const near = await cosines(sql, { userId, space: vector.space, query: vector.values, ids });
    for (const which of [0, 1] as const) signals.push({ values: ids.map((id) => near.get(id)?.[which] ?? Number.NaN) });
  }
  const scores = fuse(signals);
  return bestPositions(Float64Array.from(scores), question.limit).map((at) => ({
    id: ids[at] ?? '',
    score: scores[at] ?? 0,
  }));
}

function hideOtherKinds(
  snapshot: Snapshot,
  kind: StoredMemoryKind | undefined,
  lexical: readonly Float64Array[],
  signs: readonly (Float64Array | undefined)[],
): void {
  if (!kind) return;
  for (let position = 0; position < sizeOf(snapshot); position++) {
    if (kindAt(snapshot, position) === kind) continue;
    for (const scores of lexical) scores[position] = 0;
    for (const scores of signs) if (scores) scores[position] = Number.NaN;
  }
}
