import type { ReportedCall } from '../brain/finish.ts';
import type { Reading } from '../language/reading.ts';

/** What came back from one call, ready to be told. */
export interface Told {
  text: string;
  /** The same as rows, where it is a list. */
  table?: Table;
}
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Tells of one call: what was asked with `call.input`, what it was about, and what came back. */
export type Report = (call: ReportedCall, result: unknown, reading: Reading) => Told;

export const text = (value: unknown): string => (typeof value === 'string' ? value : '');
export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** By code point, so that no character is cut in two. */
export function cut(value: string, most: number): string {
  const characters = [...value];
  return characters.length <= most ? value : `${characters.slice(0, most).join('')}…`;
}
