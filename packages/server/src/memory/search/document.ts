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

/** Makes documents. Many at once share the same scratch space: a map for each of them would take most of the time. */
export function documentMaker(dictionary: Dictionary): (source: DocumentSource) => IndexedDocument {
  // For each term the slot it has in the document at hand, if it was seen there: `seenIn` tells.
  let slots = new Int32Array(dictionary.size + 1024);
  let seenIn = new Int32Array(slots.length);
  let current = 0;
  const numberOf = (term: string): number => {
    const known = dictionary.get(term);
    if (known !== undefined) return known;
    const number = dictionary.size;
    dictionary.set(term, number);
    if (number >= slots.length) {
      slots = grown(slots);
      seenIn = grown(seenIn);
    }
    return number;
  };
  return (source) => {
    current++;
    const terms: number[] = [];
    const counts: number[] = [];
    const count = (term: string, inText: 0 | 1) => {
      const number = numberOf(term);
      if (seenIn[number] !== current) {
        seenIn[number] = current;
        slots[number] = terms.length;
        terms.push(number);
        counts.push(0, 0);
      }
      const slot = (slots[number] ?? 0) * 2;
      counts[slot] = (counts[slot] ?? 0) + inText;
      counts[slot + 1] = (counts[slot + 1] ?? 0) + 1;
    };
    for (const term of source.terms) count(term, 1);
    for (const term of source.contextTerms) count(term, 0);
    return {
      id: source.id,
      kind: source.kind,
      lengths: [source.terms.length, source.terms.length + source.contextTerms.length],
      terms: Int32Array.from(terms),
      counts: Uint16Array.from(counts),
      signs: source.signs,
    };
  };
}

function grown(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
