const MAX_LENGTH = 64;

/** A title out of the first thing the user said: one line, cut by code point, never empty. */
export function sessionTitle(firstInput: string): string {
  const lines = firstInput.split(/[\r\n\u0085\u2028\u2029]/u).map((line) => line.trim());
  const line = lines.filter(Boolean).join(' ');
  return [...line].slice(0, MAX_LENGTH).join('') || '新会话';
}
