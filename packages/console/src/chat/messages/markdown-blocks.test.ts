import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf } from './markdown-blocks.ts';

const texts = (text: string) => blocksOf(text).map((block) => block.text.trim());

test('paragraphs are blocks', () => {
  expect(texts('一\n\n二\n三\n\n四')).toEqual(['一', '二\n三', '四']);
});

test('code, lists and quotes stay whole over empty lines', () => {
  expect(texts('```\na\n\nb\n```\n\n后')).toEqual(['```\na\n\nb\n```', '后']);
  expect(texts('1. 甲\n\n2. 乙\n\n   还是乙')).toHaveLength(1);
  expect(texts('> 引\n\n> 文')).toHaveLength(1);
});

test('no text is lost, and blocks that are done do not move while more text comes', () => {
  const line = fc.constantFrom('', '甲', '- 项', '```', '> 引', '   缩进', '## 题', '1. 一');
  fc.assert(
    fc.property(fc.array(line), fc.nat(), (lines, cut) => {
      const text = lines.join('\n');
      const part = text.slice(0, cut % (text.length + 1));
      expect(
        blocksOf(text)
          .map((block) => block.text)
          .join(''),
      ).toBe(text);
      const done = blocksOf(part).slice(0, -1);
      expect(blocksOf(text).slice(0, done.length)).toEqual(done);
    }),
  );
});
