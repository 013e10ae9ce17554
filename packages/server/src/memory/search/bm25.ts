import { type Snapshot, sizeOf } from './snapshot.ts';

/** The usual constants: how soon repetition stops counting, and how much a long text is held back. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** The two lexical signals for every position: BM25 on the text, and on the text with the one before it. */
export interface LexicalScores {
  text: Float64Array;
  both: Float64Array;
}

export function lexicalScores(snapshot: Snapshot, query: readonly string[]): LexicalScores {
  const size = sizeOf(snapshot);
  const scores = { text: new Float64Array(size), both: new Float64Array(size) };
  const corpus = corpusOf(snapshot);
  for (const { times, runs } of postingsOf(snapshot, query)) {
    const holders = holdersOf(runs, corpus.isRemoved);
    const weights = {
      text: times * rarity(corpus.documents, holders.text),
      both: times * rarity(corpus.documents, holders.both),
    };
    for (const run of runs) addScores(scores, run, weights, corpus);
  }
  return scores;
}

/** Never negative: a term that is in every memory counts next to nothing, and not against them. */
const rarity = (documents: number, holders: number): number =>
  Math.log(1 + (documents - holders + 0.5) / (holders + 0.5));

interface Corpus {
  documents: number;
  /** Per position: 1 for what is no longer there. */
  isRemoved: Uint8Array;
  /** Per position, of the text and of both: how much repetition it takes to count, which grows with the length. */
  dampings: Float64Array;
}

/** The same for every search of a snapshot. */
const corpora = new WeakMap<Snapshot, Corpus>();

function corpusOf(snapshot: Snapshot): Corpus {
  const corpus = corpora.get(snapshot) ?? measure(snapshot);
  corpora.set(snapshot, corpus);
  return corpus;
}

function measure(snapshot: Snapshot): Corpus {
  const { base, tail, removed } = snapshot;
  const size = sizeOf(snapshot);
  const isRemoved = new Uint8Array(size);
  for (const position of removed) isRemoved[position] = 1;
  const lengths = new Uint32Array(size * 2);
  lengths.set(base.lengths);
  for (const [offset, document] of tail.entries()) lengths.set(document.lengths, (base.ids.length + offset) * 2);

  const totals = [0, 0];
  for (let at = 0; at < lengths.length; at++) {
    if (isRemoved[at >> 1] === 0) totals[at & 1] = (totals[at & 1] ?? 0) + (lengths[at] ?? 0);
  }
  const documents = size - removed.size;
  const averages = totals.map((total) => total / documents || 1);
  const dampings = new Float64Array(size * 2);
  for (let at = 0; at < lengths.length; at++) {
    const length = (lengths[at] ?? 0) / (averages[at & 1] ?? 1);
    dampings[at] = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length);
  }
  return { documents, isRemoved, dampings };
}

/** Some memories that hold a term: where they are, and by turns the times in the text and the times in both. */
interface Run {
  positions: Int32Array;
  counts: Uint16Array;
}

/** For each distinct term of the query, how often it was asked for and who holds it. */
function* postingsOf(snapshot: Snapshot, query: readonly string[]): Generator<{ times: number; runs: Run[] }> {
  const asked = new Map<number, number>();
  for (const token of query) {
    const term = snapshot.dictionary.get(token);
    if (term !== undefined) asked.set(term, (asked.get(term) ?? 0) + 1);
  }
  const recent = tailRuns(snapshot, asked);
  for (const [term, times] of asked) {
    const last = recent.get(term);
    yield { times, runs: last ? [baseRun(snapshot, term), last] : [baseRun(snapshot, term)] };
  }
}

function baseRun({ base }: Snapshot, term: number): Run {
  const start = base.starts[term] ?? 0;
  const end = base.starts[term + 1] ?? start;
  return { positions: base.postings.subarray(start, end), counts: base.counts.subarray(start * 2, end * 2) };
}

function tailRuns({ base, tail, dictionary }: Snapshot, asked: ReadonlyMap<number, number>): Map<number, Run> {
  const isAsked = new Uint8Array(dictionary.size);
  for (const term of asked.keys()) isAsked[term] = 1;
  const found = new Map<number, { positions: number[]; counts: number[] }>();
  for (const [offset, { terms, counts }] of tail.entries()) {
    for (let slot = 0; slot < terms.length; slot++) {
      const term = terms[slot] ?? 0;
      if (isAsked[term] !== 1) continue;
      const run = found.get(term) ?? { positions: [], counts: [] };
      run.positions.push(base.ids.length + offset);
      run.counts.push(counts[slot * 2] ?? 0, counts[slot * 2 + 1] ?? 0);
      found.set(term, run);
    }
  }
  return new Map(
    [...found].map(([term, { positions, counts }]) => [
      term,
      { positions: Int32Array.from(positions), counts: Uint16Array.from(counts) },
    ]),
  );
}

function holdersOf(runs: readonly Run[], isRemoved: Uint8Array): { text: number; both: number } {
  let text = 0;
  let both = 0;
  for (const { positions, counts } of runs) {
    for (let at = 0; at < positions.length; at++) {
      if (isRemoved[positions[at] ?? 0] === 1) continue;
      both++;
      if (counts[at * 2] !== 0) text++;
    }
  }
  return { text, both };
}

function addScores(
  { text, both }: LexicalScores,
  { positions, counts }: Run,
  weights: { text: number; both: number },
  { dampings, isRemoved }: Corpus,
): void {
  const textWeight = weights.text * (SATURATION + 1);
  const bothWeight = weights.both * (SATURATION + 1);
  for (let at = 0; at < positions.length; at++) {
    const position = positions[at] ?? 0;
    if (isRemoved[position] === 1) continue;
    const inText = counts[at * 2] ?? 0;
    const inBoth = counts[at * 2 + 1] ?? 0;
    if (inText > 0)
      text[position] = (text[position] ?? 0) + (textWeight * inText) / (inText + (dampings[position * 2] ?? 1));
    both[position] = (both[position] ?? 0) + (bothWeight * inBoth) / (inBoth + (dampings[position * 2 + 1] ?? 1));
  }
}
