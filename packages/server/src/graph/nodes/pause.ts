import type { Interrupt, RunOutcome } from '@kith/protocol';
import type { Node } from '../services.ts';
import { append, outstandingCalls } from '../state.ts';
import { runOf } from '../stream.ts';
import { runUsageOf } from '../usage.ts';
import { type AskedApproval, openApprovals } from './decisions.ts';

/** Ends the stream while somebody else has the word: a person who must approve, or a client that runs a tool. */
export const pauseNode: Node = async (state, services) => {
  const asked = openApprovals(state);
  const first = asked[0];
  append(state, { node: 'pause', summary: first ? 'waits for approval' : 'waits for the client', next: [] });
  services.draft.standing = first
    ? { run: 'awaiting_approval', pendingToolCallId: first.tool_call_id }
    : { run: 'completed' };
  const usage = runUsageOf(state.bookings);
  const outcome: RunOutcome = first
    ? { type: 'interrupt', interrupts: asked.map(toInterrupt) }
    : { type: 'success', pendingToolCallIds: outstandingCalls(state).map((call) => call.tool_call_id) };
  services.draft.events.push(...services.stream.endStep('worker'), {
    type: 'RUN_FINISHED',
    ...runOf(state),
    outcome,
    ...(usage.length > 0 ? { usage } : {}),
  });
  await services.checkpoint();
};

/** The form that both front ends' built-in approval pages understand. */
const toInterrupt = (asked: AskedApproval): Interrupt => ({
  id: asked.tool_call_id,
  reason: 'tool_call',
  message: asked.tool_name,
  toolCallId: asked.tool_call_id,
  expiresAt: asked.expires_at,
  responseSchema: {
    type: 'object',
    properties: { approved: { type: 'boolean' }, reason: { type: 'string' }, editedArgs: { type: 'object' } },
    required: ['approved'],
  },
  metadata: {
    tool_name: asked.tool_name,
    tool_call_args: asked.args,
    ...(asked.preview ? { preview: asked.preview } : {}),
  },
});
