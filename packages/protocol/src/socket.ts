import { z } from 'zod';
import { Decision } from './approvals.ts';
import type { Json } from './json.ts';
import type { Problem } from './problem.ts';
import { type UserAgentContext, UserContextRequest, UserId } from './profile.ts';
import { BusyPolicy } from './runs.ts';
import { ThreadId } from './sessions.ts';

/** Messages of the WebSocket `/api/v1/ws`, both ways `{type, payload}`. */

const RunId = z.string().min(1).max(200);
/** Echoed as `reply_to` by whatever answers the message directly. */
const id = z.string().min(1).max(200).optional();
/** A thread may also be called `session_id`. Who says neither means the connection's own. */
const thread = { thread_id: ThreadId.optional(), session_id: ThreadId.optional() };

export const SocketRequest = z.discriminatedUnion('type', [
  /** Who is talking, for the rest of the connection; said over the profile. */
  z.object({ type: z.literal('set_user_context'), id, payload: UserContextRequest }),
  /** Starts a run; its events follow. */
  z.object({
    type: z.literal('chat'),
    id,
    payload: z.strictObject({
      ...thread,
      message: z.string().min(1).max(200_000),
      user_id: UserId.optional(),
      run_id: RunId.optional(),
      file_ids: z.array(z.string()).max(32).optional(),
      policy: BusyPolicy.optional(),
    }),
  }),
  z.object({ type: z.literal('cancel'), id, payload: z.strictObject({ ...thread, run_id: RunId.optional() }) }),
  z.object({
    type: z.literal('decision'),
    id,
    payload: Decision.extend({ ...thread, tool_call_id: z.string().min(1).max(200) }),
  }),
  /** Follows a run to its end, or a thread for as long as the connection lasts. */
  z.object({
    type: z.literal('subscribe'),
    id,
    payload: z.strictObject({
      ...thread,
      run_id: RunId.optional(),
      /** The id of the last event that is known; without it a run is told from its start, a thread from now on. */
      cursor: z
        .string()
        .regex(/^\d{1,15}(-0)?$/, 'expected an id of this stream, like 12-0')
        .optional(),
    }),
  }),
  z.object({ type: z.literal('ping'), id, payload: z.json().optional() }),
]);
export type SocketRequest = z.infer<typeof SocketRequest>;
/** A message as a client writes it. */
export type SocketRequestInput = z.input<typeof SocketRequest>;

export type SocketProblem = Pick<Problem, 'code' | 'status' | 'errors'> & { message: string };

export type SocketMessage =
  | { type: 'user_context'; reply_to?: string; payload: UserAgentContext }
  /** An event in the flat dialect, under its id in the thread. */
  | { type: 'event'; id: string; payload: Json }
  | { type: 'error'; reply_to?: string; payload: SocketProblem }
  | { type: 'pong'; reply_to?: string; payload?: Json };
