import { OrganizationResult } from '@kith/protocol';
import { writeMessage } from '../draft.ts';
import type { Node } from '../services.ts';
import { append, intentOf, type RunState, resultsOf } from '../state.ts';
import { runOf } from '../stream.ts';
import { runUsageOf } from '../usage.ts';
import { mayRemember } from './background.ts';

/** The last step: the terminal event, the final standing, and the turn kept verbatim. */
export const endNode: Node = async (state, services) => {
  append(state, { node: 'end', summary: 'done', next: [] });
  services.draft.standing = { run: 'completed' };
  const usage = runUsageOf(state.bookings);
  services.draft.events.push(...services.stream.endStep('memory'), {
    type: 'RUN_FINISHED',
    ...runOf(state),
    ...(usage.length > 0 ? { usage } : {}),
  });
  if (services.draft.unattributed.length > 0) {
    writeMessage(services.draft, state.input.mode, 'audit', {
      id: services.newId(),
      role: 'assistant',
      content: '',
      metadata: { type: 'assistant_output', stage: 'worker' },
    });
  }
  const remembers = state.input.mode === 'chat' && mayRemember(state, services);
  await services.checkpoint(remembers ? { work: (sql) => keepTurn(state, services, sql) } : {});
};

async function keepTurn(
  state: RunState,
  services: Parameters<Node>[1],
  sql: Parameters<typeof services.memory.keepTurn>[0],
) {
  const { threadId, runId, turn, userId } = state.identity;
  const previous = state.chat_history
    .slice(-2)
    .map((entry) => entry.content)
    .join('\n');
  const recalled = state.memory.map((memory) => memory.id);
  const said = { prompt: state.input.prompt, answer: answerOf(state), previous, recalled };
  await services.memory.keepTurn(sql, userId, said, { thread_id: threadId, run_id: runId, turn });
}

const outputsOf = resultsOf('output', OrganizationResult);

/** What the user was told in this turn. */
export function answerOf(state: RunState): string {
  return outputsOf(state).at(-1)?.result.assistant_text ?? intentOf(state)?.assistant_text ?? '';
}
