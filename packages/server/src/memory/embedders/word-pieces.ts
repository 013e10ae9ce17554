/** Splits text into the numbered pieces that a BERT-like model reads: as its own tokenizer does, from its own vocabulary. */
export interface Vocabulary {
  numbers: ReadonlyMap<string, number>;
  /** Models whose words have no accents lose them in the text too. */
  stripAccents: boolean;
}

const LONGEST_WORD = 100;

/** At most `limit` numbers, the marks of beginning and end included. */
export function wordPieces(text: string, vocabulary: Vocabulary, limit: number): number[] {
  const numberOf = (piece: string) => vocabulary.numbers.get(piece) ?? 0;
  const pieces: number[] = [numberOf('[CLS]')];
  for (const [word] of plain(text, vocabulary.stripAccents).matchAll(wordPattern)) {
    if (pieces.length >= limit - 1) break;
    pieces.push(...(piecesOf([...word], vocabulary.numbers) ?? [numberOf('[UNK]')]));
  }
  return [...pieces.slice(0, limit - 1), numberOf('[SEP]')];
}

// Han characters and punctuation marks stand for themselves; everything else runs to the next space.
const wordPattern = /\p{Script=Han}|[\p{P}$+<=>^`|~]|[^\s\p{Script=Han}\p{P}$+<=>^`|~]+/gu;

function plain(text: string, stripAccents: boolean): string {
  const lower = text.replace(/[\p{Cc}\p{Cf}\ufffd]/gu, (character) => (/\s/.test(character) ? ' ' : '')).toLowerCase();
  return stripAccents ? lower.normalize('NFD').replace(/\p{Mn}/gu, '') : lower;
}

/** The longest known piece first, again and again; a word with a rest that is not known is not known. */
function piecesOf(characters: readonly string[], numbers: ReadonlyMap<string, number>): number[] | undefined {
  if (characters.length > LONGEST_WORD) return undefined;
  const pieces: number[] = [];
  for (let start = 0; start < characters.length; ) {
    let end = characters.length;
    let found: number | undefined;
    for (; end > start && found === undefined; end--) {
      found = numbers.get((start > 0 ? '##' : '') + characters.slice(start, end).join(''));
    }
    if (found === undefined) return undefined;
    pieces.push(found);
    start = end + 1;
  }
  return pieces;
}
