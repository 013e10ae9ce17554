import { z } from 'zod';
import { UserContextRequest } from './profile.ts';
import { RunStatus } from './runs.ts';
import { ThreadId } from './sessions.ts';
import { SuggestedAction } from './stages.ts';
import { WireUsage } from './usage.ts';

/** A message, and optionally who says it. */
export const ChatRequest = z.strictObject({
  session_id: ThreadId,
  message: z.string().min(1).max(200_000),
  user_context: UserContextRequest.nullish(),
  file_ids: z.array(z.string()).max(32).optional(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

export const ChatResponse = z.object({
  session_id: z.string(),
  run_id: z.string(),
  answer: z.string(),
  status: RunStatus,
  suggested_actions: z.array(SuggestedAction),
  /** Set when the run waits for a person's decision. */
  pending_tool_call_id: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string(), error_id: z.string().optional() }).optional(),
  usage: WireUsage.optional(),
});
export type ChatResponse = z.infer<typeof ChatResponse>;
