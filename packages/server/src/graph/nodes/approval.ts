import { ProjectCliArgs, type UiBlock } from '@kith/protocol';
import { compileUiSchema } from '../../events/index.ts';
import type { RunServices } from '../services.ts';
import { append, asJson, type PlannedCall, type RunState } from '../state.ts';
import { enabledSkills, openCall, skillContext, toolCallRow } from './calls.ts';

/** Asks the user before a call is made. */
export async function askForApproval(state: RunState, services: RunServices, call: PlannedCall): Promise<void> {
  const expires = new Date(services.now().getTime() + services.approvalExpirySeconds * 1000);
  const preview = await rehearse(state, services, call);
  openCall(state, services, call);
  services.draft.toolCalls.push({ ...toolCallRow(call, 'awaiting_approval', null), expires_at: expires.toISOString() });
  append(state, {
    node: 'approval',
    preparation: call.tool_name,
    summary: `asks before ${call.tool_name}`,
    result: asJson({
      tool_call_id: call.tool_call_id,
      tool_name: call.tool_name,
      args: call.args,
      expires_at: expires.toISOString(),
      ...(preview.length > 0 ? { preview } : {}),
    }),
    next: ['reflection'],
  });
}

/**
 * What would happen, as a card shows it: the method does its work and the database forgets it. An id says nothing to the one
 * who must approve; the event that it names does. Work elsewhere cannot be tried, and what fails is asked about all the same.
 */
async function rehearse(state: RunState, services: RunServices, call: PlannedCall): Promise<UiBlock[]> {
  const args = ProjectCliArgs.parse(call.args);
  if (services.skills.find(args.module, args.method)?.effect !== 'transactional') return [];
  const output = await services.tryOut((sql) =>
    services.skills.call(args, skillContext(state, services, call, sql), enabledSkills(state, services)),
  );
  return output.status === 'failure' ? [] : (compileUiSchema(output)?.blocks ?? []);
}
