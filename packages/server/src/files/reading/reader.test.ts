import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  assemble,
  billionLaughs,
  docx,
  inflatingPdf,
  longPdf,
  overlappingBomb,
  pdf,
  png,
  rawXlsx,
  xlsx,
  zip,
} from '../samples.ts';
import { fixedLimits, type ReadingLimits } from './limits.ts';
import { readFileApart } from './reader.ts';
import type { Chunk } from './reading.ts';
import { Watched } from './under-watch.ts';

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const usual: ReadingLimits = { ...fixedLimits, pages: 2000, cells: 500_000, expansion: 100, timeoutMs: 25_000 };

const workbook = await xlsx([{ a: 1 }]);

async function read(mediaType: string, bytes: Buffer | string, limits: Partial<ReadingLimits> = {}) {
  const chunks: Chunk[] = [];
  const outcome = await readFileApart({
    mediaType,
    bytes: Readable.from([Buffer.from(bytes)]),
    limits: { ...usual, ...limits },
    onChunks: async (more) => void chunks.push(...more),
  });
  return { outcome, chunks, text: chunks.map((chunk) => chunk.text).join('') };
}

describe('reads', () => {
  test('a PDF by its pages, with its title, in Chinese and English', async () => {
    const { outcome, chunks } = await read('application/pdf', pdf(['Hello world', '你好，世界'], { title: '合同' }));
    expect(outcome).toMatchObject({ end: 'read', summary: { kind: 'document', title: '合同', pages: 2 } });
    expect(chunks.map(({ page, text }) => [page, text])).toEqual([
      [1, 'Hello world'],
      [2, '你好，世界'],
    ]);
    expect(chunks[1]?.terms).toEqual(expect.arrayContaining(['你好', '世界', '你']));
  });

  test('an older Chinese PDF, which names a character set and brings no font', async () => {
    const content = 'BT /F 12 Tf 50 700 Td <c4e3bac3> Tj ET';
    const bytes = assemble(
      [
        '<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
        '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /GBK-EUC-H /DescendantFonts [4 0 R] >>',
        '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>',
        '<< /Type /Page /Parent 2 0 R /Contents 6 0 R /Resources << /Font << /F 3 0 R >> >> /MediaBox [0 0 600 800] >>',
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ],
      '/Root 1 0 R',
    );
    expect((await read('application/pdf', bytes)).text).toBe('你好');
  });

  test('a Word document with its headings', async () => {
    const { outcome, text } = await read(WORD, docx([{ heading: '第一章' }, '内容 &amp; more']));
    expect(outcome).toMatchObject({ end: 'read', summary: { title: '第一章', sections: ['第一章'] } });
    expect(text).toContain('内容 & more');
  });

  test('a workbook as sheets, columns and rows', async () => {
    const { outcome, chunks } = await read(
      EXCEL,
      await xlsx([
        { 姓名: '张三', age: 30 },
        { 姓名: '李四', age: 4 },
      ]),
    );
    expect(outcome).toEqual({
      end: 'read',
      summary: {
        kind: 'table',
        sheets: [
          {
            name: 'Sheet1',
            columns: ['姓名', 'age'],
            row_count: 2,
            sample_rows: [
              ['张三', 30],
              ['李四', 4],
            ],
          },
        ],
      },
    });
    expect(chunks[0]?.text).toBe('张三 | 30\n李四 | 4\n');
    expect(chunks[0]?.terms).toContain('姓名');
  });

  test('a CSV, whatever separates it', async () => {
    for (const mark of [',', ';', '\t']) {
      const { outcome } = await read('text/csv', `a${mark}b\n1${mark}"x\ny"\n`);
      expect(outcome).toMatchObject({ summary: { sheets: [{ columns: ['a', 'b'], sample_rows: [['1', 'x y']] }] } });
    }
  });

  test('a page of HTML as a person sees it', async () => {
    const page = '<title>T</title><style>p{}</style><h1>Head</h1><p>a<b>b</b> &amp; c</p><script>alert(1)</script>';
    const { outcome, text } = await read('text/html', page);
    expect(outcome).toMatchObject({ summary: { title: 'T', sections: ['Head'] } });
    expect(text).toBe('Head\n\nab & c');
  });

  test('Markdown with its sections, and not those in code', async () => {
    const { outcome } = await read('text/markdown', '# A\n\n```\n# not\n```\n\n## B ##\n');
    expect(outcome).toMatchObject({ summary: { title: 'A', sections: ['A', 'B'] } });
  });

  test('a picture’s type and size', async () => {
    const { outcome } = await read('image/png', png);
    expect(outcome).toEqual({
      end: 'read',
      summary: { kind: 'other', metadata: { format: 'png', width: 3, height: 2 } },
    });
  });

  test('a long text in passages, each with its page', async () => {
    const text = '今天天气很好，我们去公园散步。The quick brown fox.\n'.repeat(2000);
    const { outcome, chunks, text: again } = await read('text/plain', text);
    expect(again).toBe(text);
    expect(outcome).toMatchObject({ summary: { characters: text.length, pages: chunks.at(-1)?.page } });
  });
});

describe('of a hostile file says what is wrong with it:', () => {
  const corners = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
  const spaces = ' '.repeat(60 * 1024 * 1024);
  test.each([
    ['a zip bomb', WORD, zip({ '[Content_Types].xml': '<Types/>', 'word/a.xml': spaces }), 'FILE_EXPANDS_TOO_MUCH'],
    ['a bomb of overlapping entries', WORD, overlappingBomb(200, 20), 'FILE_EXPANDS_TOO_MUCH'],
    ['a billion laughs in Word', WORD, docx(['&lol9;'], billionLaughs), 'FILE_UNSAFE'],
    ['a PDF of 10,000 pages', 'application/pdf', longPdf(10_000), 'FILE_TOO_MANY_PAGES'],
    ['two cells in opposite corners', EXCEL, rawXlsx(corners), 'FILE_TOO_MANY_CELLS'],
    ['a sheet with macros', EXCEL, rawXlsx('', 'xlsx', { 'xl/vbaProject.bin': 'x' }), 'FILE_UNSAFE'],
    ['a line without end', 'text/csv', `a,b\n"${'x'.repeat(15_000_000)}`, 'FILE_TOO_LONG'],
    ['too many cells', 'text/csv', '1,2,3,4\n'.repeat(200_000), 'FILE_TOO_MANY_CELLS'],
    ['a text without end', 'text/plain', 'x '.repeat(4_000_000), 'FILE_TOO_LONG'],
    ['half a PDF', 'application/pdf', pdf(['Hello']).subarray(0, 600), 'FILE_BROKEN'],
    ['half a Word document', WORD, docx(['Hello']).subarray(0, 700), 'FILE_BROKEN'],
    ['half a workbook', EXCEL, rawXlsx(corners).subarray(0, 700), 'FILE_BROKEN'],
    ['half a picture', 'image/png', png.subarray(0, 20), 'FILE_BROKEN'],
    ['a workbook that calls itself Word', WORD, workbook, 'FILE_TYPE_MISMATCH'],
    ['an encrypted PDF', 'application/pdf', encryptedPdf(), 'FILE_ENCRYPTED'],
    ['entries with names that lead elsewhere', WORD, zip({ '../../../etc/passwd': 'x' }), 'FILE_BROKEN'],
  ] as const)('%s', async (_name, mediaType, bytes, code) => {
    expect((await read(mediaType, bytes)).outcome).toMatchObject({ end: 'failed', code });
  });

  test('a PDF that unpacks without end', async () => {
    const { outcome } = await read('application/pdf', inflatingPdf(300), { residentMegabytes: 300 });
    expect(outcome).toMatchObject({ end: 'failed', code: 'FILE_OUT_OF_MEMORY' });
  });

  test('one that fills the heap', async () => {
    const { outcome } = await read('text/csv', 'one,two,three,four\n'.repeat(120_000), { heapMegabytes: 32 });
    expect(outcome).toMatchObject({ end: 'failed', code: 'FILE_OUT_OF_MEMORY' });
  });

  test('one that takes too long', async () => {
    const { outcome } = await read('application/pdf', longPdf(1500), { timeoutMs: 300 });
    expect(outcome).toMatchObject({ end: 'failed', code: 'FILE_TIMED_OUT' });
  });
});

test('entities in a page of HTML mean nothing', async () => {
  const { outcome, text } = await read('text/html', `${billionLaughs}<p>&lol9;</p>`);
  expect(outcome.end).toBe('read');
  expect(text.length).toBeLessThan(1000);
});

test('the process that has hostile files read does not feel it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-hostile-'));
  writeFileSync(join(folder, 'bomb.docx'), overlappingBomb(200, 20));
  writeFileSync(join(folder, 'laughs.docx'), docx(['&lol9;'], billionLaughs));
  writeFileSync(join(folder, 'pages.pdf'), longPdf(10_000));
  writeFileSync(join(folder, 'inflating.pdf'), inflatingPdf(300));
  writeFileSync(join(folder, 'line.csv'), `a,b\n"${'x'.repeat(15_000_000)}`);
  writeFileSync(join(folder, 'long.txt'), '今天天气很好，我们去公园散步。'.repeat(250_000));
  const program = fileURLToPath(new URL('./under-watch.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder]);
  rmSync(folder, { recursive: true });
  process.stdout.write(`hostile files: ${stdout}`);
  const seen = Watched.parse(JSON.parse(stdout));
  expect(seen.outcomes).toEqual({
    'bomb.docx': 'FILE_EXPANDS_TOO_MUCH',
    'inflating.pdf': 'FILE_OUT_OF_MEMORY',
    'laughs.docx': 'FILE_UNSAFE',
    'line.csv': 'FILE_TOO_LONG',
    'long.txt': 'read',
    'pages.pdf': 'FILE_TOO_MANY_PAGES',
  });
  expect(seen.grownMegabytes).toBeLessThan(100);
  expect(seen.longestDelayMs).toBeLessThan(1000);
}, 120_000);

test('a reading that is called off is not the file’s fault', async () => {
  const stopping = new AbortController();
  const reading = readFileApart({
    mediaType: 'application/pdf',
    bytes: Readable.from([longPdf(1000)]),
    limits: usual,
    onChunks: async () => {},
    signal: stopping.signal,
  });
  stopping.abort();
  expect(await reading).toMatchObject({ end: 'interrupted' });
});

test('bytes that stop coming are not the file’s fault', async () => {
  const bytes = Readable.from(
    (async function* () {
      yield Buffer.from('%PDF-1.7');
      throw new Error('the store went away');
    })(),
  );
  const outcome = await readFileApart({ mediaType: 'application/pdf', bytes, limits: usual, onChunks: async () => {} });
  expect(outcome).toMatchObject({ end: 'interrupted', reason: 'the store went away' });
});

/** Encrypted by a password nobody gave. */
function encryptedPdf(): Buffer {
  const zeros = '00'.repeat(32);
  return assemble(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [] /Count 0 >>',
      `<< /Filter /Standard /V 1 /R 2 /O <${zeros}> /U <${zeros}> /P -4 >>`,
    ],
    `/Root 1 0 R /Encrypt 3 0 R /ID [<${zeros}> <${zeros}>]`,
  );
}
