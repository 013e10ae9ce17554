import { settingsOf } from '../../users/index.ts';
import type { Node } from '../services.ts';
import { append } from '../state.ts';

/** The nodes before the router: who is asking, what they brought, what is remembered of them. */

export const userContextNode: Node = async (state, { stream }) => {
  stream.step('router');
  const user = state.user_context;
  const name = 'username' in user ? (user.display_name ?? user.username) : 'an anonymous user';
  append(state, { node: 'user_context', summary: `knows ${name}`, next: ['files'] });
};

export const filesNode: Node = async (state, { files }) => {
  if (state.hasFiles || state.input.fileIds.length > 0) {
    const found = await files.forSession(state.identity.userId, state.identity.sessionId);
    state.origin_files = found.origin_files;
    state.preprocessed_files = found.preprocessed_files;
  }
  append(state, { node: 'files', summary: `${state.origin_files.length} files`, next: ['memory'] });
};

export const memoryNode: Node = async (state, services) => {
  if (!state.recalled && state.hasMemories && mayRemember(state, services)) {
    const { sessionId, userId, runId } = state.identity;
    const found = await services.memory.recall({
      userId,
      query: state.input.prompt,
      sessionId,
      runId,
      signal: services.signal,
    });
    state.memory = found.memories;
    services.book(found.bookings);
  }
  append(state, { node: 'memory', summary: `${state.memory.length} memories`, next: ['router'] });
};

/** The user's `privacy.memory_enabled: false` stops both reading and learning. */
export function mayRemember(state: Parameters<Node>[0], services: Parameters<Node>[1]): boolean {
  return services.memoryEnabled && settingsOf(state.user_context).privacy.memory_enabled !== false;
}
