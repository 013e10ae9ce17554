import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sessionTitle } from './title.ts';

test('a title is one line of the first thing the user said', () => {
  expect(sessionTitle('  帮我查一下\n下周的日程\r\n谢谢 ')).toBe('帮我查一下 下周的日程 谢谢');
});

test('an empty message gives a title all the same', () => {
  expect(sessionTitle(' \n\t ')).toBe('新会话');
});

test('a long message is cut at 64 characters, never inside one', () => {
  expect(sessionTitle('😀'.repeat(100))).toBe('😀'.repeat(64));
});

test('whatever was said, the title is never empty, has no line break and at most 64 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const title = sessionTitle(text);
      expect(title).not.toBe('');
      expect(title).not.toMatch(/[\r\n\u0085\u2028\u2029]/u);
      expect([...title].length).toBeLessThanOrEqual(64);
    }),
  );
});
