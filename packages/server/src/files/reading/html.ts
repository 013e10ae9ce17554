import { Parser } from 'htmlparser2';
import { pagesOf } from './chunks.ts';
import type { DocumentParts } from './document.ts';
import { cleanText } from './encoding.ts';

const UNSEEN = new Set(['script', 'style', 'template', 'noscript', 'svg', 'iframe', 'object', 'head']);
const BLOCKS = new Set(
  (
    'address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ' +
    'ol p pre section table tr ul'
  ).split(' '),
);
const HEADING = /^h[1-6]$/;

/** What a person would read on the page: no scripts, no styles; blocks on lines of their own, cells apart. */
export function readHtml(html: string): DocumentParts {
  const text: string[] = [];
  const sections: string[] = [];
  let title = '';
  let inTitle = false;
  let heading: string | undefined;
  let hidden = 0;
  const parser = new Parser({
    onopentagname: (name) => {
      if (name === 'title') inTitle = true;
      if (UNSEEN.has(name)) hidden += 1;
      if (HEADING.test(name)) heading = '';
      if (BLOCKS.has(name)) text.push('\n');
    },
    ontext: (part) => {
      if (inTitle) title += part;
      if (inTitle || hidden > 0) return;
      if (heading !== undefined) heading += part;
      text.push(part.replace(/[\s\u00a0]+/g, ' '));
    },
    onclosetag: (name) => {
      if (name === 'title') inTitle = false;
      if (UNSEEN.has(name)) hidden -= 1;
      if (heading !== undefined && HEADING.test(name)) {
        sections.push(heading);
        heading = undefined;
      }
      if (name === 'td' || name === 'th') text.push(' | ');
      if (BLOCKS.has(name)) text.push('\n');
    },
  });
  parser.write(html);
  parser.end();
  return { title: title || sections[0], sections, pages: pagesOf(tidy(text.join(''))) };
}

const tidy = (text: string): string =>
  cleanText(text)
    .split('\n')
    .map((line) =>
      line
        .replace(/ +/g, ' ')
        .replace(/( \|)+ *$/, '')
        .trim(),
    )
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
