import type { DocumentSummary } from '@kith/protocol';
import { cleanText } from './encoding.ts';

/** A part of a file that is quoted and asked for by its number: a page, or a sheet. */
export interface Page {
  text: string;
  /** Words that every passage of the page is also found by: the heads of a table's columns. */
  context?: string;
}

const SECTIONS = 40;
const EXCERPT = 400;
const LINE = 120;

export interface DocumentParts {
  title?: string | undefined;
  sections: readonly string[];
  pages: readonly string[];
}

export function summarizeDocument({ title, sections, pages }: DocumentParts): DocumentSummary {
  const name = title === undefined ? '' : oneLine(title);
  return {
    kind: 'document',
    ...(name ? { title: name } : {}),
    pages: pages.length,
    characters: pages.reduce((sum, page) => sum + page.length, 0),
    sections: sections.map(oneLine).filter(Boolean).slice(0, SECTIONS),
    excerpt: cut(
      pages
        .join('\n')
        .slice(0, 4 * EXCERPT)
        .replace(/\s+/g, ' ')
        .trim(),
      EXCERPT,
    ),
  };
}

export const oneLine = (text: string): string => cut(cleanText(text).replace(/\s+/g, ' ').trim(), LINE);

function cut(text: string, length: number): string {
  const points = [...text];
  return points.length <= length ? text : `${points.slice(0, length).join('')}…`;
}
