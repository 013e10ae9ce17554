import { expect, test } from 'vitest';
import { formatFor } from './format-for.ts';

const zh = formatFor('zh', 'Asia/Shanghai');
const en = formatFor('en', 'America/New_York');

test('money keeps what the eye can use: fen for sums, three digits for fractions of a fen, a dash for the unknown', () => {
  expect(zh.money('12.345678')).toBe('¥12.35');
  expect(zh.money('0.000012345678')).toBe('¥0.0000123');
  expect(zh.money('0')).toBe('¥0.00');
  expect(zh.money(null)).toBe('—');
  expect(zh.money('90071992547409931.57')).toBe('¥90,071,992,547,409,931.57');
});

test('times are told in the user’s own zone', () => {
  expect(zh.time('2026-11-15T20:30:00Z')).toBe('04:30');
  expect(en.time('2026-11-15T20:30:00Z')).toBe('15:30');
  expect(zh.day('2026-11-15T20:30:00Z')).toBe('2026-11-16');
  expect(en.day('2026-11-15T20:30:00Z')).toBe('2026-11-15');
});

test('figures read as each language writes them', () => {
  expect(zh.short(12_345)).toBe('1.2万');
  expect(en.short(12_345)).toBe('12.3K');
  expect(en.duration(61_000)).toBe('1m 1s');
  expect(en.bytes(1500)).toBe('1.5 kB');
});
