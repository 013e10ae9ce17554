import { z } from 'zod';
import { JsonObject } from './json.ts';

/** POST …/tool-calls/{id}/decision, WebSocket `decision`, and the payload of an AG-UI resume. */
export const Decision = z.strictObject({
  approved: z.boolean(),
  /** Replaces the arguments (the `input` of the call) when given. */
  args: JsonObject.optional(),
  reason: z.string().max(2000).optional(),
});
export type Decision = z.infer<typeof Decision>;
