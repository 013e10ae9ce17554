/** Adds exact decimal strings, which no float may touch; what is unknown stays unknown. */
export function addDecimals(amounts: readonly (string | null)[]): string | null {
  if (amounts.some((amount) => amount === null)) return null;
  const known = amounts.filter((amount) => amount !== null);
  const places = Math.max(0, ...known.map((amount) => amount.split('.')[1]?.length ?? 0));
  const sum = known.reduce((total, amount) => {
    const [whole = '0', fraction = ''] = amount.split('.');
    return total + BigInt(whole + fraction.padEnd(places, '0'));
  }, 0n);
  const digits = String(sum < 0n ? -sum : sum).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}
