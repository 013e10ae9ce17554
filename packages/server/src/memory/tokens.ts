/**
 * Words by the runtime's own dictionaries, and for scripts that are written without spaces the single characters too:
 * a word that is cut differently in the question and in the memory still meets by its characters.
 */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (const { segment, isWordLike } of words.segment(text.toWellFormed().normalize('NFKC').toLowerCase())) {
    // Nobody asks for a word of this length; it is a key, an address or noise.
    if (!isWordLike || segment.length > 64) continue;
    tokens.push(segment);
    const characters = [...segment];
    if (characters.length > 1) tokens.push(...characters.filter((character) => unspaced.test(character)));
  }
  return tokens;
}

const words = new Intl.Segmenter('zh', { granularity: 'word' });
const unspaced = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;
