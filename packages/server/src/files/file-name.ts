const LENGTH = 200;

/**
 * A name to show, never a path: what follows the last separator, without characters that are invisible or turn the rest
 * around (`exe.gpj` can be made to look like `gpj.exe`), cut in front of the ending.
 */
export function displayName(name: string): string {
  const last = name.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '').trim();
  if (/^\.*$/.test(plain)) return 'file';
  const points = [...plain];
  if (points.length <= LENGTH) return plain;
  const ending = extensionOf(plain);
  const tail = ending ? `.${ending}` : '';
  return `${points.slice(0, LENGTH - tail.length).join('')}${tail}`;
}

/** In lower case, without the dot; empty where there is none. */
export const extensionOf = (name: string): string => /\.([A-Za-z0-9]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** RFC 6266: an ASCII name for old readers, the real one for the rest. Nothing in it can end the header or the quotes. */
export function attachmentHeader(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*!]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
