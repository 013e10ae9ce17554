import type { FileSummary } from '@kith/protocol';
import { type DocumentParts, type Page, summarizeDocument } from './document.ts';
import { decodeText } from './encoding.ts';
import type { ReadingLimits } from './limits.ts';
import { FileFault } from './reading.ts';
import { type Sheet, sheetPages, summarizeTable } from './table.ts';

export interface Reading {
  summary: FileSummary;
  pages: Page[];
}

/** Opens a file by what it is. The parsers are loaded when they are needed: a process reads one file. */
export async function readBytes(mediaType: string, bytes: Buffer, limits: ReadingLimits): Promise<Reading> {
  const reading = await open(mediaType, bytes, limits);
  const characters = reading.pages.reduce((sum, page) => sum + page.text.length, 0);
  if (characters > limits.characters) throw new FileFault('FILE_TOO_LONG', `more than ${limits.characters} characters`);
  return reading;
}

async function open(mediaType: string, bytes: Buffer, limits: ReadingLimits): Promise<Reading> {
  switch (mediaType) {
    case 'application/pdf':
      return asDocument(await (await import('./pdf.ts')).readPdf(bytes, limits));
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document':
      return asDocument(await (await import('./docx.ts')).readDocx(bytes, limits));
    case 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet':
      return asTable(await (await import('./xlsx.ts')).readXlsx(bytes, limits));
    case 'text/csv':
      return asTable((await import('./csv.ts')).readCsv(textOf(bytes, limits), limits));
    case 'text/html':
      return asDocument((await import('./html.ts')).readHtml(textOf(bytes, limits)));
    case 'text/markdown':
      return asDocument((await import('./text.ts')).readMarkdown(textOf(bytes, limits)));
    case 'text/plain':
      return asDocument((await import('./text.ts')).readPlainText(textOf(bytes, limits)));
  }
  if (!mediaType.startsWith('image/')) throw new FileFault('FILE_TYPE_MISMATCH');
  const metadata = (await import('./image.ts')).readImage(bytes);
  return { summary: { kind: 'other', metadata }, pages: [] };
}

function textOf(bytes: Buffer, limits: ReadingLimits): string {
  const { text } = decodeText(bytes);
  // Markup counts here too: what is shorter without it would have to be parsed first.
  if (text.length > 4 * limits.characters) throw new FileFault('FILE_TOO_LONG');
  return text;
}

const asDocument = (parts: DocumentParts): Reading => ({
  summary: summarizeDocument(parts),
  pages: parts.pages.map((text) => ({ text })),
});

const asTable = (sheets: readonly Sheet[]): Reading => ({
  summary: summarizeTable(sheets),
  pages: sheetPages(sheets),
});
