/** A name that is an email address is shown without its domain: many systems log people in by their address. */
export function withoutDomain(name: string): string {
  const trimmed = name.trim();
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(trimmed) ? trimmed.slice(0, trimmed.indexOf('@')) : name;
}

/** Hides these addresses wherever a text quotes them. The stars are no part of any address, so nothing grows together. */
export function hiding(addresses: readonly (string | null | undefined)[]): (text: string) => string {
  const patterns = addresses.map((address) => RegExp.escape(address?.trim() ?? '')).filter(Boolean);
  if (patterns.length === 0) return (text) => text;
  const anyOfThem = new RegExp(patterns.join('|'), 'giu');
  return (text) => text.replace(anyOfThem, '***');
}
