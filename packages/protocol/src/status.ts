import { z } from 'zod';

/** GET /api/v1/status: what a client should know before it asks anything else. */
export const ServerStatus = z.object({
  version: z.string(),
  auth: z.enum(['dev', 'jwt']),
  /** The built-in simulator answers, because no vendor is configured. */
  simulator: z.boolean(),
  database: z.enum(['embedded', 'server']),
  /** Which model does the work; for administrators. */
  model: z.string().optional(),
});
export type ServerStatus = z.infer<typeof ServerStatus>;
