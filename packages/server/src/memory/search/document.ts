import type { StoredMemoryKind } from '@kith/protocol';

/** A memory as the index sees it: numbers for its terms, bits for its vectors, and none of its text. */
export interface IndexedDocument {
  id: string;
  kind: StoredMemoryKind;
  /** Tokens in the text, and in the text together with the one before it. */
  lengths: readonly [text: number, both: number];
  /** Distinct terms, by their number in the dictionary. */
  terms: Int32Array;
  /** For each term: how often in the text, how often in both. */
  counts: Uint16Array;
  /** Absent while the memory has no embedding. */
  signs?: Signs | undefined;
}

/** One bit per dimension: first of the text's vector, then of the vector of both. */
export interface Signs {
  /** The model that made the vectors; those of different models do not compare. */
  space: string;
  bits: Uint8Array;
}

/** Terms and their numbers; grows with the user's memories and is thrown away with the index. */
export type Dictionary = Map<string, number>;

export interface DocumentSource {
  id: string;
  kind: StoredMemoryKind;
  terms: readonly string[];
  contextTerms: readonly string[];
  signs?: Signs | undefined;
}

export function documentOf(source: DocumentSource, dictionary: Dictionary): IndexedDocument {
  const slots = new Map<number, number>();
  const tally: number[] = [];
  const count = (term: string, inText: 0 | 1) => {
    let number = dictionary.get(term);
    if (number === undefined) {
      number = dictionary.size;
      dictionary.set(term, number);
    }
    let slot = slots.get(number);
    if (slot === undefined) {
      slot = slots.size * 2;
      slots.set(number, slot);
      tally.push(0, 0);
    }
    tally[slot] = (tally[slot] ?? 0) + inText;
    tally[slot + 1] = (tally[slot + 1] ?? 0) + 1;
  };
  for (const term of source.terms) count(term, 1);
  for (const term of source.contextTerms) count(term, 0);
  return {
    id: source.id,
    kind: source.kind,
    lengths: [source.terms.length, source.terms.length + source.contextTerms.length],
    terms: Int32Array.from(slots.keys()),
    counts: Uint16Array.from(tally, (times) => Math.min(times, 0xffff)),
    signs: source.signs,
  };
}
