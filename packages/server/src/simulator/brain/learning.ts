import type { MemoryUpdate, TodoVerdict } from '@kith/protocol';
import { z } from 'zod';
import { factsIn, factsInMemory } from '../language/facts.ts';
import type { Reading } from '../language/reading.ts';
import { KnownMemory, type Prompt } from '../prompt/prompt.ts';
import type { Interpretation } from './interpret.ts';

/** After the answer: what the message says about its writer that is new, or that puts an end to something known. */
export function learn(prompt: Prompt, { goals }: Interpretation, reading: Reading): MemoryUpdate {
  // Told to remember or to forget, the skill has done it already.
  if (goals.some(({ intent }) => intent.name === 'memory.update' || intent.name === 'memory.forget'))
    return { memories: [] };
  const known = z
    .array(KnownMemory)
    .catch([])
    .parse(prompt.sections.KNOWN_MEMORY ?? []);
  // A turn kept word for word repeats what was learned from it; only what was learned can be superseded.
  const remembered = known
    .filter(({ kind }) => kind !== 'turn' && kind !== 'gist')
    .flatMap((memory) => factsInMemory(memory.content).map((fact) => ({ id: memory.id, ...fact })));
  const memories = factsIn(prompt.message).flatMap((fact) => {
    const same = remembered.filter((other) => other.subject === fact.subject);
    if (same.some((other) => other.value === fact.value)) return [];
    const superseded = same[0]?.id;
    const content = reading.say(fact.chinese, fact.english);
    return [{ kind: fact.kind, content, ...(superseded ? { supersedes: superseded } : {}) }];
  });
  return { memories };
}

/** A todo is met when its result is a success: the simulator judges no further. */
export function judge(prompt: Prompt, { say }: Reading): TodoVerdict {
  const result = z.looseObject({ status: z.string() }).safeParse(prompt.sections.RESULT).data;
  const met = result?.status === 'success';
  const reason = met
    ? say('工具返回成功。', 'The tool reported success.')
    : say(`工具返回 ${result?.status ?? '未知状态'}。`, `The tool reported ${result?.status ?? 'an unknown status'}.`);
  return { met, reason };
}
