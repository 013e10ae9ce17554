import type { UserMemoryContent, WorkProfileContent } from '@kith/protocol';
import type { Fact } from '../language/fact-rules.ts';
import { monthAndDay } from '../language/fact-rules.ts';
import { factsIn } from '../language/facts.ts';
import type { Reading } from '../language/reading.ts';

/** The skill takes no longer sentence. */
const LONGEST = 500;

/** The input of `memory.update`: what has a field of its own goes there, the rest are sentences. */
export function memoryContent(
  text: string,
  reading: Reading,
): { user_memory?: UserMemoryContent; work_profile?: WorkProfileContent } {
  const facts = factsIn(text);
  const sentence = [...text].slice(0, LONGEST).join('');
  const user = facts.length === 0 ? { facts: [sentence] } : personal(facts, reading);
  const work = professional(facts, reading);
  return {
    ...(Object.keys(user).length > 0 ? { user_memory: user } : {}),
    ...(Object.keys(work).length > 0 ? { work_profile: work } : {}),
  };
}

function personal(facts: readonly Fact[], reading: Reading): UserMemoryContent {
  const nickname = objectOf(facts, 'name');
  const birthday = monthAndDay(objectOf(facts, 'birthday') ?? '');
  const location = objectOf(facts, 'home');
  const placed = new Set(['name', 'home', ...(birthday ? ['birthday'] : [])]);
  const loose = facts.filter((fact) => !placed.has(fact.subject));
  return {
    ...(nickname ? { nickname } : {}),
    ...(birthday ? { birthday } : {}),
    ...(location ? { location } : {}),
    ...listed('facts', loose, 'fact', reading),
    ...listed('preferences', loose, 'preference', reading),
  };
}

function professional(facts: readonly Fact[], reading: Reading): WorkProfileContent {
  const manager = objectOf(facts, 'manager');
  const title = objectOf(facts, 'position');
  const loose = facts.filter((fact) => fact.subject !== 'manager' && fact.subject !== 'position');
  return {
    ...(manager ? { manager } : {}),
    ...(title ? { title } : {}),
    ...listed('responsibilities', loose, 'work_profile', reading),
  };
}

const objectOf = (facts: readonly Fact[], subject: string) =>
  facts.findLast((fact) => fact.subject === subject)?.object;

function listed<Field extends string>(field: Field, facts: readonly Fact[], kind: Fact['kind'], { say }: Reading) {
  const sentences = facts.filter((fact) => fact.kind === kind).map((fact) => say(fact.chinese, fact.english));
  return sentences.length > 0 ? { [field]: sentences } : {};
}
