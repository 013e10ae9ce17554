/** Money is an integer of 1e-12 CNY: the smallest price seen is 2e-8 CNY a token, and every price is a multiple of this. */
export type Pico = bigint;

const PICO_DECIMALS = 12;

/** What `numeric(20,12)` cannot hold any more: a hundred million CNY. */
export const PICO_LIMIT: Pico = 10n ** 20n;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** `text` times 10^decimals as an integer; refuses what would not be exact. */
export function scaleDecimal(text: string, decimals: number): bigint {
  const match = DECIMAL.exec(text);
  if (!match) throw new RangeError(`not a decimal number: ${text}`);
  const [, sign = '', whole = '', fraction = ''] = match;
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) throw new RangeError(`more than ${decimals} decimals: ${text}`);
  const magnitude = BigInt(whole + significant.padEnd(decimals, '0'));
  return sign === '-' ? -magnitude : magnitude;
}

/** Exact: `parsePico('0.0007574')` is 757400000n. */
export function parsePico(text: string): Pico {
  return scaleDecimal(text, PICO_DECIMALS);
}

/** The shortest decimal of the amount: no exponent, no trailing zeros. */
export function formatPico(amount: Pico): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(PICO_DECIMALS + 1, '0');
  const whole = digits.slice(0, -PICO_DECIMALS);
  const fraction = digits.slice(-PICO_DECIMALS).replace(/0+$/, '');
  return `${amount < 0n ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

const REPORTED = /^(\d{1,20})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,2}))?$/;

/**
 * An amount as a vendor reports it, rounded half up to 1e-12 CNY; null where it is no amount: negative, not a
 * number, or more than the ledger can hold.
 */
export function readReportedAmount(value: unknown): Pico | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const match = REPORTED.exec(String(value));
  if (!match) return null;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const shift = PICO_DECIMALS + Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  const amount = shift >= 0 ? digits * 10n ** BigInt(shift) : divideHalfUp(digits, 10n ** BigInt(-shift));
  return amount < PICO_LIMIT ? amount : null;
}

function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}
