import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { eventReader, lineReader } from './event-stream.ts';

function read(make: typeof eventReader, pieces: readonly string[]): string[] {
  const events: string[] = [];
  const reader = make((data) => events.push(data));
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return events;
}

const data = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, ''));
const noise = fc.constantFrom('', ': keep-alive\n', '\n', 'event: message\n', 'id: 7\n');

test('events are the same, whatever the pieces and the line ends', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(data, noise)),
      fc.constantFrom('\n', '\r\n'),
      fc.nat({ max: 7 }),
      (events, end, size) => {
        const text = events
          .map(([value, before]) => `${before}data: ${value}\n\n`)
          .join('')
          .replaceAll('\n', end);
        const pieces = text.match(new RegExp(`[^]{1,${size + 1}}`, 'g')) ?? [];
        expect(read(eventReader, pieces)).toEqual(events.map(([value]) => value));
      },
    ),
  );
});

test('several data lines are one event, and the last event needs no blank line', () => {
  expect(read(eventReader, ['data: a\ndata:b\n\ndata: c'])).toEqual(['a\nb', 'c']);
});

test('lines of JSON are one event each', () => {
  expect(read(lineReader, ['{"a":1}\n\n{"b"', ':2}\r\n', '{"c":3}'])).toEqual(['{"a":1}', '{"b":2}', '{"c":3}']);
});

test('an event without end is refused', () => {
  const reader = eventReader(() => {});
  const piece = `data: ${'x'.repeat(1024 * 1024)}`;
  expect(() => {
    for (let count = 0; count < 8; count += 1) reader.push(piece);
  }).toThrow(/no end/);
});
