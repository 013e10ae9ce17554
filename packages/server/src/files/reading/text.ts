import { pagesOf } from './chunks.ts';
import type { DocumentParts } from './document.ts';

export const readPlainText = (text: string): DocumentParts => ({ sections: [], pages: pagesOf(text) });

/** Markdown is read as it is written; its headings, outside of code, are the sections. */
export function readMarkdown(text: string): DocumentParts {
  const sections: string[] = [];
  let inCode = false;
  for (const line of text.split('\n')) {
    if (/^ {0,3}(```|~~~)/.test(line)) inCode = !inCode;
    const [, heading] = inCode ? [] : (/^ {0,3}#{1,6} +(.+?)[ #]*$/.exec(line.slice(0, 1000)) ?? []);
    if (heading) sections.push(heading);
  }
  return { title: sections[0], sections, pages: pagesOf(text) };
}
