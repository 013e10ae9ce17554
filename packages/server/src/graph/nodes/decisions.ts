import { JsonObject, UiBlock } from '@kith/protocol';
import { z } from 'zod';
import { type RunState, resultsOf } from '../state.ts';

/** A person's word on a call, as the `decision` action keeps it. */
export const CallDecision = z.object({
  tool_call_id: z.string(),
  approved: z.boolean(),
  args: JsonObject.optional(),
  reason: z.string().optional(),
});
export type CallDecision = z.infer<typeof CallDecision>;

const decisionsOf = resultsOf('decision', CallDecision);
export const decisionOf = (state: RunState, toolCallId: string): CallDecision | undefined =>
  decisionsOf(state)
    .map(({ result }) => result)
    .findLast((decision) => decision.tool_call_id === toolCallId);

/** What an `approval` action keeps: the call that waits, until when, and what it would do. */
export const AskedApproval = z.object({
  tool_call_id: z.string(),
  tool_name: z.string(),
  args: JsonObject,
  expires_at: z.string(),
  preview: z.array(UiBlock).optional(),
});
export type AskedApproval = z.infer<typeof AskedApproval>;

const approvalsOf = resultsOf('approval', AskedApproval);
/** Calls that a person was asked about and has not answered. */
export const openApprovals = (state: RunState): AskedApproval[] =>
  approvalsOf(state)
    .map(({ result }) => result)
    .filter((asked) => !decisionOf(state, asked.tool_call_id));

const clientToolsOf = resultsOf('client_tool', z.object({ tool_call_id: z.string() }));
/** Calls that the client was asked to make. */
export const clientCalls = (state: RunState): string[] => clientToolsOf(state).map(({ result }) => result.tool_call_id);
