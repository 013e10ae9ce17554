import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { HEAD_BYTES, typeOf } from './accepted-types.ts';
import { docx, pdf, png, rawXlsx, xlsx } from './samples.ts';

const head = (bytes: Buffer | string) => Buffer.from(bytes).subarray(0, HEAD_BYTES);
const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const excel = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

test.each([
  ['报告.pdf', pdf(['x']), 'application/pdf', 'document'],
  ['no-ending', pdf(['x']), 'application/pdf', 'document'],
  ['a.docx', docx(['x']), word, 'document'],
  ['a.xlsx', await xlsx([{ a: 1 }]), excel, 'table'],
  ['a.png', png, 'image/png', 'other'],
  ['renamed.jpg', png, 'image/png', 'other'],
  ['a.csv', 'a,b\n1,2\n', 'text/csv', 'table'],
  ['a.md', '# A', 'text/markdown', 'document'],
  ['a.html', '<!doctype html><p>x', 'text/html', 'document'],
  ['a.xhtml', '<?xml version="1.0"?><html/>', 'text/html', 'document'],
  ['a.txt', '你好', 'text/plain', 'document'],
  ['a.log', 'started', 'text/plain', 'document'],
  ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'text/plain', 'document'],
  ['utf16.txt', Buffer.from('\ufeffhello', 'utf16le'), 'text/plain', 'document'],
  ['empty.txt', '', 'text/plain', 'document'],
])('%s is taken for what it is', async (name, bytes, mediaType, kind) => {
  expect(await typeOf(head(bytes), name)).toEqual({ mediaType, kind });
});

test('the sender chooses between kinds of text where the name does not say', async () => {
  expect((await typeOf(head('a,b'), 'data', 'text/csv; charset=utf-8')).mediaType).toBe('text/csv');
  expect((await typeOf(head('a,b'), 'data', 'application/pdf')).mediaType).toBe('text/plain');
});

const program = Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(100)]);
const noise = Buffer.concat(Array.from({ length: 60 }, (_, index) => createHash('sha512').update(`${index}`).digest()));
const oldOffice = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
test.each([
  ['a program', 'photo.png', program],
  ['a program under no name', 'tool', program],
  ['a program that calls itself text', 'notes.txt', program],
  ['text that calls itself PDF', 'invoice.pdf', 'just text'],
  ['a PDF that calls itself Word', 'letter.docx', pdf(['x'])],
  ['a PDF that calls itself text', 'letter.txt', pdf(['x'])],
  ['a picture that calls itself a table', 'table.csv', png],
  ['a sheet with macros', 'macros.xlsm', rawXlsx('', 'xlsm', { 'xl/vbaProject.bin': 'x' })],
  ['an archive', 'things.zip', Buffer.from('504b0304140000000000', 'hex')],
  ['an old or encrypted Office file', 'old.xls', oldOffice],
  ['random bytes', 'data.bin', noise],
])('%s is refused', async (_what, name, bytes) => {
  await expect(typeOf(head(bytes), name)).rejects.toMatchObject({ code: 'FILE_TYPE_REFUSED' });
});
