import { fileURLToPath } from 'node:url';
import { getDocumentProxy } from 'unpdf';
import type { DocumentParts } from './document.ts';
import { cleanText } from './encoding.ts';
import type { ReadingLimits } from './limits.ts';
import { FileFault } from './reading.ts';

/** Older Chinese PDFs name a character set instead of bringing a font; these are Adobe's tables for them. */
const cMapUrl = fileURLToPath(new URL('./cmaps/', import.meta.url));

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/** The text of a PDF, page by page. Scripts in it are not run, pictures are not drawn. */
export async function readPdf(bytes: Buffer, limits: ReadingLimits): Promise<DocumentParts> {
  const pdf = await open(bytes);
  if (pdf.numPages > limits.pages) {
    throw new FileFault('FILE_TOO_MANY_PAGES', `${pdf.numPages} pages, and ${limits.pages} are allowed`);
  }
  const pages: string[] = [];
  let room = limits.characters;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const text = await pageText(pdf, number);
    room -= text.length;
    if (room < 0) throw new FileFault('FILE_TOO_LONG');
    pages.push(text);
  }
  return { title: await titleOf(pdf), sections: await outlineOf(pdf), pages };
}

async function open(bytes: Buffer): Promise<Pdf> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      cMapUrl,
      cMapPacked: true,
      disableFontFace: true,
      verbosity: 0,
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw new FileFault('FILE_ENCRYPTED');
    throw new FileFault('FILE_BROKEN', error instanceof Error ? error.message : undefined);
  }
}

async function pageText(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  return cleanText(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''));
}

async function titleOf(pdf: Pdf): Promise<string | undefined> {
  const { info } = await pdf.getMetadata();
  const title = 'Title' in info ? info.Title : undefined;
  return typeof title === 'string' ? title : undefined;
}

async function outlineOf(pdf: Pdf): Promise<string[]> {
  const outline = await pdf.getOutline();
  return (outline ?? []).map((entry) => entry.title);
}
