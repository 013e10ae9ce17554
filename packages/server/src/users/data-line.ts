import type { Json } from '@kith/protocol';

/**
 * Everything that a reader might take for the end of the data: headings, fences, tags and brackets, and whatever breaks a
 * line, turns its direction or is not seen at all. Letters of every script, emoji and both usual spaces stay as they are.
 */
const UNSAFE = /[#`<>[\]{}]|(?![ \u3000])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** Data for a prompt as one line of JSON. It parses back to exactly the value, and none of its texts can leave the line. */
export function asDataLine(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value).replace(UNSAFE, escaped);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(asDataLine).join(',')}]`;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries.map(([key, inner]) => `${asDataLine(key)}:${asDataLine(inner)}`).join(',')}}`;
}

function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
