import { deflateRawSync, deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { toXlsx } from './table-files.ts';

/** Files that tests send: made here, so that what is in them can be read in the test. */

/** A PDF with a line of text on each page. Chinese is written the way embedded fonts do it: by number, with a map to Unicode. */
export function pdf(pages: readonly string[], options: { title?: string } = {}): Buffer {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const kids = pages.map((_, index) => `${6 + index * 2} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add(
    '<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>',
  );
  add(
    '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
  );
  add(stream(unicodeMap));
  for (const [index, text] of pages.entries()) {
    add(
      `<< /Type /Page /Parent 2 0 R /Contents ${7 + index * 2} 0 R /Resources << /Font << /F 3 0 R >> >> /MediaBox [0 0 600 800] >>`,
    );
    const codes = Buffer.from(text, 'utf16le').swap16().toString('hex');
    add(stream(`BT /F 12 Tf 50 700 Td <${codes}> Tj ET`));
  }
  add(
    `<< /Title <feff${Buffer.from(options.title ?? '', 'utf16le')
      .swap16()
      .toString('hex')}> >>`,
  );
  return assemble(objects, `/Root 1 0 R /Info ${objects.length} 0 R`);
}

const unicodeMap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
1 beginbfrange <0000> <ffff> <0000> endbfrange
endcmap end end`;

const stream = (body: string) => `<< /Length ${body.length} >>\nstream\n${body}\nendstream`;

export function assemble(objects: readonly string[], trailer: string): Buffer {
  let body = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}

/** So many pages that share one page object: 10,000 of them are half a megabyte. */
export function longPdf(pages: number): Buffer {
  return pdf(Array.from({ length: pages }, () => 'x'));
}

/** A page whose content unpacks to so many megabytes of drawing. */
export function inflatingPdf(megabytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, 'BT (x) Tj ET '), { level: 9 }).toString('latin1');
  return assemble(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 600 800] >>',
      `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed}\nendstream`,
    ],
    '/Root 1 0 R',
  );
}

const TYPES = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
};
const contentTypes = (part: string, type: string) =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="${part}" ContentType="${type}"/></Types>`;
const relations = (target: string) =>
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${target}"/></Relationships>`;

export function docx(paragraphs: readonly (string | { heading: string })[], prolog = ''): Buffer {
  const body = paragraphs.map((paragraph) =>
    typeof paragraph === 'string'
      ? `<w:p><w:r><w:t xml:space="preserve">${paragraph}</w:t></w:r></w:p>`
      : `<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${paragraph.heading}</w:t></w:r></w:p>`,
  );
  const styles =
    '<?xml version="1.0"?><w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>';
  return zip({
    '[Content_Types].xml': contentTypes('/word/document.xml', TYPES.docx),
    '_rels/.rels': relations('word/document.xml'),
    'word/_rels/document.xml.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>',
    'word/styles.xml': styles,
    'word/document.xml': `<?xml version="1.0"?>${prolog}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join('')}</w:body></w:document>`,
  });
}

export const xlsx = (rows: Parameters<typeof toXlsx>[0]): Promise<Buffer> => toXlsx(rows);

/** A workbook whose one sheet is given as XML. */
export function rawXlsx(
  sheetData: string,
  type: keyof typeof TYPES = 'xlsx',
  more: Record<string, string> = {},
): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return zip({
    '[Content_Types].xml': contentTypes('/xl/workbook.xml', TYPES[type]),
    '_rels/.rels': relations('xl/workbook.xml'),
    'xl/workbook.xml': `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>${sheetData}</sheetData></worksheet>`,
    ...more,
  });
}

export const zip = (parts: Record<string, string>): Buffer =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)]))));

/**
 * Fifield's kind of bomb in small: every entry of the directory points at the same packed data, so that the archive is
 * small and what it claims to hold is `copies` times `megabytes`. The sizes it states are lies.
 */
export function overlappingBomb(copies: number, megabytes: number): Buffer {
  const packed = deflateRawSync(Buffer.alloc(megabytes * 1024 * 1024, 0x20), { level: 9 });
  const local = Buffer.alloc(30 + 5);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(packed.length, 18);
  local.writeUInt32LE(10, 22);
  local.writeUInt16LE(5, 26);
  local.write('a.xml', 30);
  const entries = Array.from({ length: copies }, (_, index) => {
    const name = index === 0 ? '[Content_Types].xml' : `word/part${index}.xml`;
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(10, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.write(name, 46);
    return entry;
  });
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(copies, 8);
  end.writeUInt16LE(copies, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(local.length + packed.length, 16);
  return Buffer.concat([local, packed, directory, end]);
}

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'base64',
);

/** Ten of ten of ten …: a gigabyte of laughter to whoever expands it. */
export const billionLaughs = `<!DOCTYPE lolz [<!ENTITY lol0 "lol">${Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY lol${index + 1} "${`&lol${index};`.repeat(10)}">`,
).join('')}]>`;
