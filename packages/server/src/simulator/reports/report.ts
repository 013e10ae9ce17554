import { z } from 'zod';
import type { Reading } from '../language/reading.ts';

/** What the planner tells the output stage about each call that it made; results come as the stage's material. */
export const ReportedCall = z.object({
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  status: z.enum(['success', 'partial', 'failed', 'rejected']),
  /** The answer tells of it; other calls only prepared it. */
  shown: z.boolean(),
  /** What the ids of the input mean. */
  about: z.record(z.string(), z.unknown()),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type ReportedCall = z.infer<typeof ReportedCall>;

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
