import { expect, test } from 'vitest';
import { costTable, digits, failures, growthTable, type Row, ratio, table } from './report.ts';
import { KITH, SET_UPS, type SetUp } from './set-ups.ts';
import { median, percentile } from './statistics.ts';

const setUp = (id: string): SetUp => {
  const found = SET_UPS.find((one) => one.id === id);
  if (!found) throw new Error(`no set-up ${id}`);
  return found;
};
const kith: Row = {
  setUp: KITH,
  name: 'Kith',
  cost: { value: { cpuMs: 50, walBytes: 102_400 } },
  transactions: { value: 16 },
  growth: { value: { early: { walBytes: 1024, ms: 100 }, late: { walBytes: 2048, ms: 150 } } },
};

test('a table is Markdown whose columns stand under each other', () => {
  expect(
    table(
      ['name', 'ms'],
      [
        ['a', '1.00'],
        ['longer', '12.0'],
      ],
    ),
  ).toBe(['| name   |   ms |', '| ------ | ---: |', '| a      | 1.00 |', '| longer | 12.0 |'].join('\n'));
});

test('a peer that costs twice as much as Kith is 2.00×, and one that keeps nothing has no transactions', () => {
  const saver: Row = {
    setUp: setUp('langgraph-postgres'),
    name: 'saver',
    cost: { value: { cpuMs: 100, walBytes: 51_200 } },
    transactions: { value: 48 },
  };
  const bare: Row = { setUp: setUp('raw-fetch'), name: 'bare', cost: { value: { cpuMs: 10, walBytes: 0 } } };
  const lines = costTable([bare, saver, kith]).split('\n');
  const cells = (line: string | undefined) =>
    line
      ?.split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  expect(cells(lines[2])).toEqual(['bare', '11 + 10', '10.0', '0.20×', '–', '–', '–', '–']);
  expect(cells(lines[3])).toEqual(['saver', '11 + 10', '100', '2.00×', '48.0', '3.00×', '50.0', '0.50×']);
  expect(cells(lines[4])).toEqual(['Kith', '11 + 10', '50.0', '1.00×', '16.0', '1.00×', '100', '1.00×']);
});

test('a set-up that could not be run has dashes in the table and its reason below', () => {
  const broken: Row = { setUp: setUp('mastra'), name: 'Mastra', cost: { failure: 'not installed' } };
  expect(costTable([broken])).toMatch(/\| Mastra +\| +11 \+ 10 \| +– \| +– \|/);
  expect(growthTable([broken, kith])).not.toContain('Mastra');
  expect(failures([broken, kith])).toEqual(['Mastra: not measured: not installed']);
});

test('growth is the last turns over the first', () => {
  expect(growthTable([kith])).toMatch(/1\.00 \| +2\.00 \| +2\.00× \| +100 \| +150 \| +1\.50× \|/);
});

test('three digits are shown, and a ratio needs a base', () => {
  expect([0.1234, 1.234, 12.34, 1234.5].map(digits)).toEqual(['0.12', '1.23', '12.3', '1235']);
  expect(ratio(3, undefined)).toBe('–');
});

test('the median of an even number of samples lies between the middle two', () => {
  expect(median([4, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(median([])).toBeNaN();
});

test('the 99th percentile of a hundred samples is the second slowest', () => {
  const samples = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect(percentile(samples, 0.99)).toBe(99);
  expect(percentile([7], 0.99)).toBe(7);
});
