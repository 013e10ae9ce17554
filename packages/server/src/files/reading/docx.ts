import mammoth from 'mammoth';
import { unpackOffice } from './archive.ts';
import type { DocumentParts } from './document.ts';
import { readHtml } from './html.ts';
import type { ReadingLimits } from './limits.ts';
import { FileFault } from './reading.ts';
import { repack } from './repack.ts';

/** The text of a Word document, with its headings. Pictures, macros and embedded files are left out. */
export async function readDocx(bytes: Buffer, limits: ReadingLimits): Promise<DocumentParts> {
  const parts = unpackOffice(bytes, limits);
  if (![...parts.keys()].some((name) => name.startsWith('word/'))) {
    throw new FileFault('FILE_TYPE_MISMATCH', 'this is not a Word document');
  }
  const withoutImages = mammoth.images.imgElement(async () => ({ src: '' }));
  const { value } = await mammoth.convertToHtml({ buffer: repack(parts) }, { convertImage: withoutImages });
  return readHtml(value);
}
