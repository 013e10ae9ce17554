import type { JsonObject, KithEvent, RuntimeMode, ToolCallStatus } from '@kith/protocol';
import { formatPico, parsePico } from '../billing/index.ts';
import type { ModelCallRow } from '../models/index.ts';
import type { NewMessage } from '../sessions/index.ts';
import { visibilityOf } from '../sessions/index.ts';

export interface ToolCallRow {
  tool_call_id: string;
  module: string;
  method: string;
  args: JsonObject;
  status: ToolCallStatus;
  result: JsonObject | null;
  expires_at: string | null;
  finished: boolean;
}

/** How the run and its session stand after the checkpoint. */
export type Standing =
  | { run: 'running' }
  | { run: 'completed' }
  | { run: 'awaiting_approval'; pendingToolCallId: string }
  | { run: 'failed' | 'canceled'; errorId: string; error: string };

/** What is new since the last checkpoint: the only thing a checkpoint writes. */
export interface Draft {
  events: KithEvent[];
  messages: NewMessage[];
  toolCalls: ToolCallRow[];
  modelCalls: ModelCallRow[];
  /** Finished calls that no message carries yet. The next message that can takes them all. */
  unattributed: ModelCallRow[];
  /** Announced calls that were never made. */
  withdrawn: string[];
  /** Action ids up to this one are already written. */
  writtenActions: number;
  standing: Standing;
  /** Milliseconds that each new action took, by its id. */
  durations: Map<number, number>;
}

export const newDraft = (actionHead: number): Draft => ({
  events: [],
  messages: [],
  toolCalls: [],
  modelCalls: [],
  unattributed: [],
  withdrawn: [],
  writtenActions: actionHead,
  standing: { run: 'running' },
  durations: new Map(),
});

export function book(draft: Draft, bookings: readonly ModelCallRow[]): void {
  draft.modelCalls.push(...bookings);
  draft.unattributed.push(...bookings);
}

type MessageDraft = Pick<NewMessage, 'id' | 'role' | 'content' | 'metadata'>;

/** A message that carries every call since the last one did: so the messages' sum is the calls' sum. */
export function writeMessage(
  draft: Draft,
  mode: RuntimeMode,
  kind: 'agent_output' | 'memory_output' | 'audit',
  message: MessageDraft,
): void {
  const carried = message.role === 'assistant' ? draft.unattributed.splice(0) : [];
  for (const call of carried) call.message_id = message.id;
  // Some of them may have been written before: they are written again, now with their message.
  draft.modelCalls.push(...carried);
  const priced = carried.flatMap((call) => (call.cost === null ? [] : [parsePico(call.cost)]));
  draft.messages.push({
    ...message,
    audit: kind === 'audit',
    visibility_mask: visibilityOf(kind, mode),
    input_tokens: sumKnown(carried.map((call) => call.input_tokens)),
    output_tokens: sumKnown(carried.map((call) => call.output_tokens)),
    cost: priced.length === 0 ? null : formatPico(priced.reduce((sum, cost) => sum + cost, 0n)),
  });
}

function sumKnown(counts: readonly (number | null)[]): number | null {
  const known = counts.filter((count) => count !== null);
  return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
}
