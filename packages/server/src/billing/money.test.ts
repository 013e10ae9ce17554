import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatPico, PICO_LIMIT, parsePico, readReportedAmount, scaleDecimal } from './money.ts';

const amounts = fc.bigInt({ min: -PICO_LIMIT, max: PICO_LIMIT });

describe('money', () => {
  test.each([
    ['0', 0n],
    ['0.0007574', 757_400_000n],
    ['0.00000002', 20_000n],
    ['0.009680625', 9_680_625_000n],
    ['0.000000000001', 1n],
    ['-2.5', -2_500_000_000_000n],
    ['12345678.900000000000', 12_345_678_900_000_000_000n],
  ])('%s CNY is exactly %d pico', (text, pico) => {
    expect(parsePico(text)).toBe(pico);
  });

  test('a price of 0.025 per million tokens is exactly 25000 pico per token', () => {
    expect(scaleDecimal('0.025', 6)).toBe(25_000n);
  });

  test('an amount is written without exponent or trailing zeros', () => {
    expect(['2.000', '0.10', '100', '0.00000002', '0'].map((text) => formatPico(parsePico(text)))).toEqual([
      '2',
      '0.1',
      '100',
      '0.00000002',
      '0',
    ]);
  });

  test('every amount survives being written and read', () => {
    fc.assert(fc.property(amounts, (amount) => parsePico(formatPico(amount)) === amount));
  });

  test('what is written adds up as what is meant', () => {
    fc.assert(
      fc.property(amounts, amounts, (left, right) => {
        expect(parsePico(formatPico(left)) + parsePico(formatPico(right))).toBe(parsePico(formatPico(left + right)));
      }),
    );
  });

  test.each(['', '.', '1.', '.5', '1e3', '1,5', ' 1', '+1', 'NaN', '٣', '0.0000000000001'])(
    'refuses %j instead of guessing',
    (text) => {
      expect(() => parsePico(text)).toThrow(RangeError);
    },
  );
});

describe('an amount as a vendor reports it', () => {
  test.each([
    [0.0123, '0.0123'],
    [1.5e-7, '0.00000015'],
    ['1.5E-7', '0.00000015'],
    [0.1 + 0.2, '0.3'],
    [0, '0'],
    ['0.0000000000005', '0.000000000001'],
    ['0.0000000000004', '0'],
    [1e-30, '0'],
  ])('%s is booked as %s CNY', (reported, booked) => {
    expect(readReportedAmount(reported)).toBe(parsePico(booked));
  });

  test.each([
    -1,
    '-0.1',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e9,
    1e300,
    '1e999999999',
    'free',
    '',
    {},
    [],
    true,
    null,
  ])('%j is no amount', (reported) => {
    expect(readReportedAmount(reported)).toBeNull();
  });

  test('any number with up to 12 decimals is kept exactly', () => {
    const decimals = fc.bigInt({ min: 0n, max: 10n ** 15n });
    fc.assert(fc.property(decimals, (amount) => readReportedAmount(Number(formatPico(amount))) === amount));
  });
});
