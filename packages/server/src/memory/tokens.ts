/**
 * Words by the runtime's own dictionaries, each with what a word cut or bent differently would share with it: for scripts
 * without spaces its single characters, for English its stem.
 */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (const { segment, isWordLike } of words.segment(text.toWellFormed().normalize('NFKC').toLowerCase())) {
    // Nobody asks for a word of this length; it is a key, an address or noise.
    if (!isWordLike || segment.length > 64) continue;
    tokens.push(segment);
    if (latin.test(segment)) {
      const stem = stemOf(segment);
      if (stem !== '' && stem !== segment) tokens.push(stem);
    } else {
      const characters = [...segment];
      if (characters.length > 1) tokens.push(...characters.filter((character) => unspaced.test(character)));
    }
  }
  return tokens;
}

const words = new Intl.Segmenter('zh', { granularity: 'word' });
const unspaced = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}/u;
const latin = /^[a-z'’]+$/;

/** Lives, lived, living and live meet in `liv`; it need not be a word, only the same for all of them. */
function stemOf(word: string): string {
  const own = word.replace(/['’](?:s|re|ve|ll|d|m)?$/, '');
  if (own.length < 4) return own;
  const bare = own
    .replace(/ie[sd]$/, 'y')
    .replace(/(?<=[^aius])s$/, '')
    .replace(/(?<=^.*[aeiouy].*[^e])(?:ing|ed)$/, '');
  const single = bare.length < own.length ? bare.replace(/([bdgmnprt])\1$/, '$1') : bare;
  return single.length > 3 ? single.replace(/e$/, '') : single;
}
