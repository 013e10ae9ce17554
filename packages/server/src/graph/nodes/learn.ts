import { type Json, MemoryUpdate } from '@kith/protocol';
import { writeMessage } from '../draft.ts';
import { speaksChinese } from '../language.ts';
import { learningPrompt } from '../prompts.ts';
import { type Node, type RunServices, stageCall, usageOf } from '../services.ts';
import { append, asJson, type RunState } from '../state.ts';
import { answerOf } from './end.ts';

/** After the answer: what is new about the user is kept, and what it contradicts is superseded. */
export const learnNode: Node = async (state, services) => {
  const answer = answerOf(state);
  // The answer is committed, and shown, before the call that nobody waits for.
  const call = await stageCall(
    state,
    services,
    'MEMORY',
    learningPrompt(state, services, knownMemories(state), answer),
  );
  services.stream.step('memory');
  const outcome = await services.models.structured(call, { name: 'MemoryUpdate', schema: MemoryUpdate });
  services.book(outcome.bookings);
  const update = outcome.ok ? outcome.value.value : { memories: [] };
  if (!outcome.ok) services.log.warn({ code: outcome.error.code }, 'nothing was learned from this turn');
  await services.checkpoint({
    work: async (sql) => {
      const { threadId, runId, turn, userId } = state.identity;
      const source = { thread_id: threadId, run_id: runId, turn };
      const ids = update.memories.length > 0 ? await services.memory.learn(sql, userId, update, source) : [];
      append(state, {
        node: 'learn',
        summary: `learned ${ids.length}`,
        result: asJson({ ...update, memory_ids: ids }),
        usage: usageOf(outcome.bookings),
        next: ['end'],
      });
      noteLearning(state, services, update, ids);
    },
  });
};

const knownMemories = (state: RunState): Json =>
  asJson(state.memory.map(({ id, kind, content }) => ({ id, kind, content })));

/** Visible in the history only: it is not part of the conversation. */
function noteLearning(state: RunState, services: RunServices, update: MemoryUpdate, ids: string[]): void {
  const chinese = speaksChinese(state);
  const learned = update.memories.map((memory) => memory.content).join(chinese ? '；' : '; ');
  const content = ids.length === 0 ? '' : `${chinese ? '已记住：' : 'Remembered: '}${learned}`;
  writeMessage(services.draft, state.input.mode, ids.length === 0 ? 'audit' : 'memory_output', {
    id: services.newId(),
    role: 'assistant',
    content,
    metadata: { type: 'assistant_output', stage: 'memory', memory_ids: ids },
  });
}
