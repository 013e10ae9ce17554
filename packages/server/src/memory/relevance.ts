import type { RecalledMemory, StoredMemory } from '@kith/protocol';
import { cut } from './text.ts';

/** Which of the memories that were found go into a prompt: decay first, then the budget. */

const DAY_MS = 86_400_000;
const HALF_LIFE_DAYS = 120;
/** Of a turn's or gist's text, this much at most. */
const LONGEST_EXCERPT = 400;
/** What is left of the budget is given to an excerpt only if it can still say something. */
const SHORTEST_EXCERPT = 60;

export interface Budget {
  characters: number;
  count: number;
}

/**
 * A mild decay: what was neither said nor used for long gives way to what was, among things that fit about equally well.
 * It never outweighs a clearly better match; what was learned decays half as much as what was merely said.
 */
export function decayed(score: number, memory: StoredMemory, now: Date): number {
  const touched = Math.max(Date.parse(memory.valid_from), Date.parse(memory.last_used_at ?? memory.valid_from));
  const days = Math.max(0, now.getTime() - touched) / DAY_MS;
  const most = isExcerpt(memory.kind) ? 0.2 : 0.1;
  const age = 1 - most * (1 - 2 ** (-days / HALF_LIFE_DAYS));
  const use = 1 + Math.min(0.1, 0.02 * Math.log2(1 + memory.uses));
  return Math.min(1, score * age * use);
}

const isExcerpt = (kind: string): boolean => kind === 'turn' || kind === 'gist';

/**
 * Fills the budget, best first. Standing memories (preferences and the work profile, which apply whatever is asked) have
 * a quarter of it for themselves; what they leave goes to the matches.
 */
export function fillBudget(
  matches: readonly RecalledMemory[],
  standing: readonly RecalledMemory[],
  budget: Budget,
): RecalledMemory[] {
  const quarter = { characters: budget.characters >> 2, count: Math.ceil(budget.count / 4) };
  const first = take(standing, quarter);
  const rest = { characters: budget.characters - lengthOf(first), count: budget.count - first.length };
  return [...take(matches, rest), ...first];
}

function take(memories: readonly RecalledMemory[], budget: Budget): RecalledMemory[] {
  const taken: RecalledMemory[] = [];
  let left = budget.characters;
  for (const memory of memories) {
    if (taken.length === budget.count) break;
    const content = isExcerpt(memory.kind) ? excerpt(memory.content, left) : memory.content;
    const length = [...content].length;
    if (length === 0 || length > left) continue;
    taken.push({ ...memory, content });
    left -= length;
  }
  return taken;
}

function excerpt(content: string, left: number): string {
  const room = Math.min(LONGEST_EXCERPT, left);
  const shortened = cut(content, room);
  return shortened !== content && room < SHORTEST_EXCERPT ? '' : shortened;
}

const lengthOf = (memories: readonly RecalledMemory[]): number =>
  memories.reduce((sum, { content }) => sum + [...content].length, 0);
