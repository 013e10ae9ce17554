import { expect, test } from 'vitest';
import { decodeText } from './encoding.ts';

const chinese = '春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多少。';
/** GB18030 by hand: Node decodes it, and does not encode it. */
const inGb18030 = Buffer.from('b4bac3dfb2bbbef5cffea3acb4a6b4a6cec5cce4c4f1a1a3', 'hex');

test.each([
  ['UTF-8', Buffer.from(chinese), 'utf-8'],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${chinese}`), 'utf-8'],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${chinese}`, 'utf16le'), 'utf-16le'],
  ['big-endian UTF-16 with a mark', Buffer.from(`\ufeff${chinese}`, 'utf16le').swap16(), 'utf-16be'],
])('reads Chinese in %s', (_name, bytes, encoding) => {
  expect(decodeText(bytes)).toEqual({ text: chinese, encoding });
});

test('reads Chinese in GB18030', () => {
  expect(decodeText(inGb18030)).toEqual({ text: '春眠不觉晓，处处闻啼鸟。', encoding: 'gb18030' });
});

test('reads UTF-16 that has no mark by the zeros of its Latin letters', () => {
  expect(decodeText(Buffer.from('name,value\n', 'utf16le')).text).toBe('name,value\n');
});

test('takes accents of Western text for what they are, and not for half a Chinese character', () => {
  const text = 'Le café est naïve, señor: déjà vu à la carte.';
  expect(decodeText(Buffer.from(text, 'latin1'))).toEqual({ text, encoding: 'windows-1252' });
});

test('keeps nothing that a database cannot hold, and one kind of line end', () => {
  const prose = 'a line of prose, long enough to be taken for text';
  expect(decodeText(Buffer.from(`${prose}\r\n${prose}\r\0${prose}\u0007`)).text).toBe([prose, prose, prose].join('\n'));
});

test('says that binary data is not text', () => {
  const bytes = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 251));
  expect(() => decodeText(bytes)).toThrow('not text');
});
