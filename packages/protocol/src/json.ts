import { z } from 'zod';

/** Any JSON value, as it crosses a border and is not looked into. */
export const Json = z.json();
export type Json = z.infer<typeof Json>;

export const JsonObject = z.record(z.string(), z.json());
export type JsonObject = z.infer<typeof JsonObject>;

/** An amount of money outside the server: an exact decimal string, never a number. */
export const DecimalString = z.string().regex(/^-?\d+(\.\d+)?$/);

/** An instant: ISO 8601 with an offset. */
export const Instant = z.iso.datetime({ offset: true });
