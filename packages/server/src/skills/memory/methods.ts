import type { UiHints } from '@kith/protocol';
import { type Memory, mayRemember } from '../../memory/index.ts';
import { SkillFailure } from '../failures.ts';
import { done } from '../output.ts';
import type { SkillContext, SkillMethod } from '../port.ts';
import { cut, inLanguage } from '../words.ts';
import { ForgetInput, Forgotten, Found, SearchInput, Updated, UpdateInput } from './inputs.ts';
import { labelled, type Statement, statementsOf } from './statements.ts';

const MOST_FOUND = 10;
const LONGEST_SHOWN = 600;

/** What memory the skill needs of its room. */
export type MemoryRoom = Pick<Memory, 'learn' | 'search' | 'forget'>;

export function memoryMethods(memory: MemoryRoom): SkillMethod[] {
  return [updateMemory(memory), searchMemory(memory), forgetMemory(memory)];
}

const updateMemory = (memory: MemoryRoom): SkillMethod<UpdateInput> => ({
  module: 'memory',
  method: 'update',
  effect: 'transactional',
  idempotent: true,
  approval: false,
  input: UpdateInput,
  async run(input, context) {
    requireMemory(context);
    const { sql, userId, language, sessionId, runId, turn } = context;
    const statements = statementsOf(input, language);
    const memories = [];
    for (const statement of statements) {
      memories.push({ ...statement, supersedes: await currentOf(statement, context) });
    }
    const source = { thread_id: turn?.threadId ?? sessionId ?? '', run_id: runId ?? '', turn: turn?.number ?? 0 };
    const memory_ids = await memory.learn(sql, userId, { memories }, source);
    const title = inLanguage({ zh: '已记住', en: 'Remembered' }, language);
    return done(
      Updated,
      { status: 'updated', memory_ids, count: memory_ids.length },
      {
        summary: `${title}: ${cut(statements.map(({ content }) => content).join('; '), 200)}`,
        hints: card('memory.update', title, statements),
      },
    );
  },
});

/** What fills the statement's slot now, in whichever language it was said. */
async function currentOf({ slot, kind }: Statement, { sql, userId }: SkillContext): Promise<string | undefined> {
  if (!slot) return undefined;
  const [row] = await sql<{ id: string }[]>`
    select id from memories
    where user_id = ${userId} and kind = ${kind} and valid_to is null
      and (starts_with(content, ${labelled(slot.zh, '')}) or starts_with(content, ${labelled(slot.en, '')}))
    order by created_at desc limit 1`;
  return row?.id;
}

const searchMemory = (memory: MemoryRoom): SkillMethod<{ query: string }> => ({
  module: 'memory',
  method: 'search',
  effect: 'read',
  idempotent: true,
  approval: false,
  input: SearchInput,
  async run({ query }, context) {
    requireMemory(context);
    const { userId, sql, sessionId, runId, signal } = context;
    const found = await memory.search({
      userId,
      query,
      limit: MOST_FOUND,
      sessionId: sessionId ?? undefined,
      runId: runId ?? undefined,
      signal,
      sql,
    });
    context.book?.(found.bookings);
    const memories = found.memories.map(({ id, kind, content }) => ({
      memory_id: id,
      kind,
      content: cut(content, LONGEST_SHOWN),
    }));
    const count = memories.length;
    const summary = inLanguage({ zh: `找到 ${count} 条记忆`, en: `${count} memories found` }, context.language);
    return done(Found, { count, memories }, { summary, hints: card('memory.list', summary, memories) });
  },
});

const forgetMemory = (memory: MemoryRoom): SkillMethod<{ memory_id: string }> => ({
  module: 'memory',
  method: 'forget',
  effect: 'transactional',
  idempotent: true,
  approval: false,
  input: ForgetInput,
  async run({ memory_id }, { sql, userId, language }) {
    const gone = await memory.forget(userId, memory_id, sql);
    const summary = inLanguage({ zh: '已忘记', en: 'Forgotten' }, language);
    return done(
      Forgotten,
      { memory_id, status: 'forgotten', count: gone.length },
      { summary, hints: card('memory.forget', summary, []) },
    );
  },
});

function requireMemory({ user }: SkillContext): void {
  if (!mayRemember(user)) throw new SkillFailure('MEMORY_OFF');
}

function card(kind: string, title: string, memories: readonly { content: string }[]): UiHints {
  return {
    kind,
    title,
    blocks: memories.map(({ content }) => ({ type: 'text', text: cut(content, 300) })),
    actions: [],
  };
}
