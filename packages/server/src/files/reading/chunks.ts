const CHUNK = 1000;
const PAGE = 4000;

// Best first: a cut between paragraphs, then lines, then sentences, then words.
const BOUNDARIES = [/\n\n+/g, /\n/g, /[。！？；]|[.!?;]\s/g, /[，,、\s]/g];

/** Cuts a text into pieces of at most `size` characters that, joined, are the text again. */
export function* pieces(text: string, size = CHUNK): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = start + size >= text.length ? text.length : start + cutOf(text.slice(start, start + size));
    yield text.slice(start, end);
    start = end;
  }
}

/** Texts that know no pages get some: so many characters each, between paragraphs where that goes. */
export const pagesOf = (text: string): string[] => [...pieces(text, PAGE)];

/** Where to cut a window that is too long: after the last good boundary in its second half, and never inside a character. */
function cutOf(window: string): number {
  const half = window.length / 2;
  for (const boundary of BOUNDARIES) {
    let last = 0;
    for (const match of window.matchAll(boundary)) last = match.index + match[0].length;
    if (last > half) return last;
  }
  const splitsPair = /[\ud800-\udbff]$/.test(window);
  return splitsPair ? window.length - 1 : window.length;
}
