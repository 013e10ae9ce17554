import { z } from 'zod';
import { Instant } from './json.ts';
import { RuntimeMode } from './messages.ts';
import { UserAgentContext } from './profile.ts';

export const SessionStatus = z.enum(['pending', 'running', 'completed', 'failed']);
export type SessionStatus = z.infer<typeof SessionStatus>;

export const ThreadId = z.string().min(1).max(200);

/** The small document that changes together with the status, in one transaction. */
export const StateSnapshot = z.object({
  status: SessionStatus,
  pending_tool_call_id: z.string().nullable(),
  error_id: z.string().optional(),
});
export type StateSnapshot = z.infer<typeof StateSnapshot>;

export const SessionInput = z.strictObject({
  thread_id: ThreadId.optional(),
  title: z.string().max(255).optional(),
});
export type SessionInput = z.infer<typeof SessionInput>;

export const SessionPatch = z.strictObject({ title: z.string().trim().min(1).max(255) });
export type SessionPatch = z.infer<typeof SessionPatch>;

export const Session = z.object({
  id: z.uuid(),
  thread_id: ThreadId,
  user_id: z.string(),
  title: z.string().nullable(),
  status: SessionStatus,
  state_snapshot: StateSnapshot,
  runtime_mode: RuntimeMode,
  user_context: UserAgentContext.nullable(),
  billing_currency: z.literal('CNY'),
  billing_country_snapshot: z.string(),
  created_at: Instant,
  updated_at: Instant,
});
export type Session = z.infer<typeof Session>;

export const SessionPage = z.object({ sessions: z.array(Session), next_cursor: z.string().nullable() });
export type SessionPage = z.infer<typeof SessionPage>;
