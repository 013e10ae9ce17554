/**
 * The simulator's tokenizer, so that every usage figure can be checked by hand:
 * a CJK character is one token; any other run of characters is one token per four characters begun.
 * Tokens of a text are a prefix of the tokens of that text with more CJK or a longer run after it,
 * which is what makes a prefix cache possible.
 */
const CHARACTERS_A_TOKEN = 4;

function isCjk(codePoint: number): boolean {
  return (
    (codePoint >= 0x2e80 && codePoint <= 0x9fff) ||
    (codePoint >= 0xac00 && codePoint <= 0xd7af) ||
    (codePoint >= 0xf900 && codePoint <= 0xfaff) ||
    (codePoint >= 0xff00 && codePoint <= 0xffef) ||
    (codePoint >= 0x20000 && codePoint <= 0x3ffff)
  );
}

/** Calls `onToken` with the end (in UTF-16 units) of each token, in order; returns how many there were. */
export function scanTokens(text: string, onToken?: (end: number) => void): number {
  let tokens = 0;
  let run = 0;
  for (let at = 0; at < text.length; ) {
    const codePoint = text.codePointAt(at) ?? 0;
    const next = at + (codePoint > 0xffff ? 2 : 1);
    if (isCjk(codePoint)) {
      if (run > 0) {
        tokens += 1;
        onToken?.(at);
      }
      run = 0;
      tokens += 1;
      onToken?.(next);
    } else {
      run += 1;
      if (run === CHARACTERS_A_TOKEN) {
        tokens += 1;
        onToken?.(next);
        run = 0;
      }
    }
    at = next;
  }
  if (run > 0) {
    tokens += 1;
    onToken?.(text.length);
  }
  return tokens;
}

export function countTokens(text: string): number {
  return scanTokens(text);
}

/** The text's first `limit` tokens. */
export function cutToTokens(text: string, limit: number): string {
  let seen = 0;
  let end = 0;
  scanTokens(text, (tokenEnd) => {
    seen += 1;
    if (seen <= limit) end = tokenEnd;
  });
  return seen <= limit ? text : text.slice(0, end);
}
