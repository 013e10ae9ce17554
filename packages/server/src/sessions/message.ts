import {
  CONTEXT_ASSEMBLY,
  type MessageMetadata,
  type MessageRole,
  type RuntimeMode,
  type SessionStatus,
  type StateSnapshot,
  UI_HISTORY,
} from '@kith/protocol';

/** A row of `sessions`, as SQL gives it. */
export interface SessionRow {
  id: string;
  user_id: string;
  thread_id: string;
  title: string | null;
  status: SessionStatus;
  state_snapshot: StateSnapshot;
  runtime_mode: RuntimeMode;
  user_context: unknown;
  billing_currency: 'CNY';
  billing_country_snapshot: string;
  event_head: number;
  message_head: number;
  audit_head: number;
  action_head: number;
  turn_head: number;
  created_at: Date;
  updated_at: Date;
}

/** A message before it has its place: `audit` rows get a negative seq, all others the next positive one. */
export interface NewMessage {
  id: string;
  audit: boolean;
  role: MessageRole;
  content: string;
  metadata: MessageMetadata;
  visibility_mask: number;
  input_tokens: number | null;
  output_tokens: number | null;
  cost: string | null;
}

/** Who sees what: the history, the context of later runs, both or neither. */
export function visibilityOf(
  kind: 'user_input' | 'agent_output' | 'memory_output' | 'audit',
  mode: RuntimeMode,
): number {
  if (kind === 'audit') return 0;
  if (mode === 'automation') return kind === 'user_input' ? 0 : UI_HISTORY;
  return kind === 'memory_output' ? UI_HISTORY : UI_HISTORY | CONTEXT_ASSEMBLY;
}
