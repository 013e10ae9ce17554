import { FileFault } from './reading.ts';

/**
 * Text from bytes of unknown encoding: what the byte order mark says, else UTF-8 if it is that without a fault, else GB18030
 * (which holds GBK and GB2312) if it reads like Chinese, else Windows-1252, in which every byte means something.
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: string } {
  const encoding = markedEncoding(bytes) ?? guessedEncoding(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  if (looksBinary(text)) throw new FileFault('FILE_BROKEN', 'this is not text');
  return { text: cleanText(text), encoding };
}

/** What a database can keep and a reader expects: whole characters, one kind of line end. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff]/g, '');
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return undefined;
}

function guessedEncoding(bytes: Uint8Array): string {
  if (decodes(bytes, 'utf-8')) return zeroSide(bytes) ?? 'utf-8';
  return zeroSide(bytes) ?? (readsLikeChinese(bytes) ? 'gb18030' : 'windows-1252');
}

function decodes(bytes: Uint8Array, encoding: string): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** UTF-16 without a mark shows in the zeros of its Latin letters and line ends, all on one side of the pairs. */
function zeroSide(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 4096);
  let even = 0;
  let odd = 0;
  sample.forEach((byte, index) => {
    if (byte !== 0) return;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  });
  const many = sample.length / 20;
  if (odd > many && even === 0) return 'utf-16le';
  if (even > many && odd === 0) return 'utf-16be';
  return undefined;
}

/** Of the pairs that GB18030 sees, those of common Chinese have a high second byte; an accent in Western text is followed by a letter. */
function readsLikeChinese(bytes: Uint8Array): boolean {
  if (!decodes(bytes, 'gb18030')) return false;
  let pairs = 0;
  let common = 0;
  for (let index = 0; index < bytes.length - 1; index += 1) {
    const lead = bytes[index] ?? 0;
    if (lead < 0x80) continue;
    const second = bytes[index + 1] ?? 0;
    pairs += 1;
    if (lead >= 0xa1 && lead <= 0xf7 && second >= 0xa1) common += 1;
    index += 1;
  }
  return pairs > 0 && common / pairs > 0.8;
}

function looksBinary(text: string): boolean {
  const sample = text.slice(0, 4096);
  const odd = sample.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0;
  return odd > sample.length / 20;
}
