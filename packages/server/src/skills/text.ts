import { z } from 'zod';

// Characters that would let a text pretend to be something else on a screen: bidirectional overrides and isolates.
const DISGUISES = /[\u202a-\u202e\u2066-\u2069]/g;
const LINE_BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
// PostgreSQL has no NUL in text; the other controls have no business in prose.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const bounded = (text: string, max: number) => Array.from(text).length <= max;
const tooLong = (max: number) => ({ error: `expected at most ${max} characters` });

/** One line of text. */
export const line = (max: number) =>
  z
    .string()
    .transform((text) => text.replace(DISGUISES, '').replace(LINE_BREAKS, ' ').trim())
    .refine((text) => text.length > 0, { error: 'expected some text' })
    .refine((text) => bounded(text, max), tooLong(max));

/** Text with line breaks. */
export const prose = (max: number) =>
  z
    .string()
    .transform((text) => text.replaceAll('\r\n', '\n').replace(DISGUISES, '').replace(CONTROLS, '').trim())
    .refine((text) => bounded(text, max), tooLong(max));
