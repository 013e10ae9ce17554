import { type JsonObject, ProjectCliArgs } from '@kith/protocol';
import type { Transaction } from '../../db/index.ts';
import type { CallContext } from '../../skills/index.ts';
import { settingsOf } from '../../users/index.ts';
import { writeMessage } from '../draft.ts';
import { languageOf } from '../language.ts';
import type { RunServices } from '../services.ts';
import type { PlannedCall, RunState } from '../state.ts';
import { runOf } from '../stream.ts';

/** What every way of a planned call has in common: how it is told, recorded and made. */

/** START, ARGS and END, and the call's message: once, whichever way the call then goes. */
export function openCall(state: RunState, services: RunServices, call: PlannedCall): void {
  if (services.announcedTools.has(call.tool_call_id)) return;
  services.announcedTools.add(call.tool_call_id);
  const messageId = services.newId();
  const common = {
    ...runOf(state),
    messageId,
    toolCallId: call.tool_call_id,
    toolCallName: call.tool_name,
    stage: 'worker',
  } as const;
  services.draft.events.push(
    { type: 'TOOL_CALL_START', ...common },
    { type: 'TOOL_CALL_ARGS', ...common, args: call.args, delta: JSON.stringify(call.args) },
    { type: 'TOOL_CALL_END', ...common },
  );
  writeMessage(services.draft, state.input.mode, 'agent_output', {
    id: messageId,
    role: 'assistant',
    content: '',
    metadata: {
      type: 'tool_call',
      stage: 'worker',
      tool_call_id: call.tool_call_id,
      tool_name: call.tool_name,
      tool_call_args: call.args,
    },
  });
}

export function skillContext(
  state: RunState,
  services: RunServices,
  call: PlannedCall,
  sql: Transaction | undefined,
): CallContext {
  const { timezone } = settingsOf(state.user_context).preferences;
  return {
    userId: state.identity.userId,
    user: state.user_context,
    sessionId: state.identity.sessionId,
    runId: state.identity.runId,
    now: services.now(),
    timezone,
    language: languageOf(state),
    sql,
    idempotencyKey: `${state.identity.runId}:${call.tool_call_id}`,
    signal: services.signal,
    turn: { threadId: state.identity.threadId, number: state.identity.turn },
    book: services.book,
  };
}

export const enabledSkills = (state: RunState, services: RunServices) =>
  state.input.enabledSkills ?? services.templates.enabledSkills;

export function methodOf(call: PlannedCall): [module: string, method: string] {
  const args = ProjectCliArgs.safeParse(call.args);
  return args.success ? [args.data.module, args.data.method] : ['', call.tool_name];
}

export function toolCallRow(
  call: PlannedCall,
  status: 'started' | 'succeeded' | 'failed' | 'rejected' | 'unknown' | 'awaiting_approval',
  result: JsonObject | null,
) {
  const [module, method] = methodOf(call);
  const finished = status !== 'started' && status !== 'awaiting_approval';
  return {
    tool_call_id: call.tool_call_id,
    module,
    method,
    args: call.args,
    status,
    result,
    expires_at: null,
    finished,
  };
}
