import type { FileKind } from '@kith/protocol';
import { errors } from '../errors/index.ts';
import { extensionOf } from './file-name.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface AcceptedType {
  mediaType: string;
  kind: FileKind;
  extensions: readonly string[];
  /** Told from others by its content; text has nothing to be told by. */
  content: 'binary' | 'text';
}

const accepted: readonly AcceptedType[] = [
  { mediaType: 'application/pdf', kind: 'document', extensions: ['pdf'], content: 'binary' },
  { mediaType: DOCX, kind: 'document', extensions: ['docx'], content: 'binary' },
  { mediaType: XLSX, kind: 'table', extensions: ['xlsx'], content: 'binary' },
  { mediaType: 'image/png', kind: 'other', extensions: ['png'], content: 'binary' },
  { mediaType: 'image/jpeg', kind: 'other', extensions: ['jpg', 'jpeg'], content: 'binary' },
  { mediaType: 'image/gif', kind: 'other', extensions: ['gif'], content: 'binary' },
  { mediaType: 'image/webp', kind: 'other', extensions: ['webp'], content: 'binary' },
  { mediaType: 'image/bmp', kind: 'other', extensions: ['bmp'], content: 'binary' },
  { mediaType: 'text/csv', kind: 'table', extensions: ['csv', 'tsv'], content: 'text' },
  { mediaType: 'text/markdown', kind: 'document', extensions: ['md', 'markdown'], content: 'text' },
  { mediaType: 'text/html', kind: 'document', extensions: ['html', 'htm', 'xhtml'], content: 'text' },
];
const plainText: AcceptedType = { mediaType: 'text/plain', kind: 'document', extensions: ['txt'], content: 'text' };

/** Text that the detector knows by its first words. It is read as the text it is. */
const WRITTEN = new Set(['application/xml', 'text/xml', 'image/svg+xml', 'text/calendar', 'text/vcard', 'text/vtt']);

/** So much of a file is enough to know it by. */
export const HEAD_BYTES = 4100;

/**
 * What a file is, by its first bytes; its name and the sender's word only choose between kinds of text. A name that says
 * something else than the bytes is refused, and so is whatever is not in the list above.
 */
export async function typeOf(
  head: Uint8Array,
  name: string,
  claimed?: string,
): Promise<{ mediaType: string; kind: FileKind }> {
  const extension = extensionOf(name);
  const named = accepted.find((type) => type.extensions.includes(extension));
  const detected = await detect(head, named);
  if (detected) {
    // Pictures are renamed without harm; anything else under a wrong name is a mistake or a trick.
    const fits = !named
      ? extension !== 'txt'
      : named === detected || (named.kind === 'other' && detected.kind === 'other');
    if (!fits) throw refused(`the name ends in .${extension}, and the content is ${detected.mediaType}`);
    return { mediaType: detected.mediaType, kind: detected.kind };
  }
  if (named?.content === 'binary') throw refused(`the name ends in .${extension}, and the content is something else`);
  if (!looksWritten(head)) throw refused('the content is of no type that is accepted');
  const { mediaType, kind } = named ?? textClaimed(claimed) ?? plainText;
  return { mediaType, kind };
}

/** The binary type of the content; undefined for text. */
async function detect(head: Uint8Array, named: AcceptedType | undefined): Promise<AcceptedType | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (!found || WRITTEN.has(found.mime)) return undefined;
  const known = accepted.find((type) => type.mediaType === found.mime);
  if (known) return known;
  // The parts that would tell an Office file from another archive may come later; the reader looks again.
  if (found.mime === 'application/zip' && (named?.mediaType === DOCX || named?.mediaType === XLSX)) return named;
  if (/macroenabled/i.test(found.mime)) throw refused('files with macros are not accepted: save it as .docx or .xlsx');
  if (found.mime === 'application/x-cfb') {
    throw refused('old or password-protected Office files are not accepted: save it as .docx or .xlsx');
  }
  throw refused(`${found.mime} is not accepted`);
}

const textClaimed = (claimed: string | undefined): AcceptedType | undefined =>
  accepted.find((type) => type.content === 'text' && type.mediaType === claimed?.split(';')[0]?.trim().toLowerCase());

/** Text has next to no control characters. UTF-16 has many zeros, all on one side of its pairs. */
function looksWritten(head: Uint8Array): boolean {
  const zeros = [0, 1].map((side) => head.filter((byte, index) => byte === 0 && index % 2 === side).length);
  if (Math.min(...zeros) === 0 && Math.max(...zeros) > head.length / 20) return true;
  const controls = head.filter((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte));
  return controls.length <= head.length / 50;
}

const refused = (detail: string) => errors.FILE_TYPE_REFUSED({ detail });
