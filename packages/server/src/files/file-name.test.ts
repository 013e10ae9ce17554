import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attachmentHeader, displayName, extensionOf } from './file-name.ts';

test.each([
  ['../../etc/passwd', 'passwd'],
  ['..\\..\\windows\\system.ini', 'system.ini'],
  ['/absolute/报告.pdf', '报告.pdf'],
  ['..', 'file'],
  ['', 'file'],
  ['a\0b\nc.txt', 'abc.txt'],
  ['\u202egpj.exe', 'gpj.exe'],
])('%j is shown as %j', (name, shown) => {
  expect(displayName(name)).toBe(shown);
});

test('a name that is too long keeps its ending', () => {
  const shown = displayName(`${'长'.repeat(500)}.pdf`);
  expect([...shown]).toHaveLength(200);
  expect(extensionOf(shown)).toBe('pdf');
});

const marks = [...'aé你😀"\\/%;*\'() .\n\0\u202e\ud800'];
const names = fc.array(fc.constantFrom(...marks), { maxLength: 300 }).map((parts) => parts.join(''));

test('no name can end the download header, its quotes, or say another name', () => {
  fc.assert(
    fc.property(names, (raw) => {
      const header = attachmentHeader(displayName(raw));
      expect(header).toMatch(/^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[\w.%~-]*$/);
      expect(decodeURIComponent(header.slice(header.lastIndexOf("''") + 2))).toBe(displayName(raw));
    }),
  );
});
