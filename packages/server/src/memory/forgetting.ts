import type { Transaction } from '../db/index.ts';

/**
 * Deletes a memory with its whole past (what it superseded, and what that superseded), and where these were learned from
 * a turn, the verbatim copy and the gist of that turn: otherwise the next search would find the same words again. The
 * turn after it loses its copy of the one before. Gives the ids of what is gone.
 */
export async function forgetMemory(sql: Transaction, userId: string, memoryId: string): Promise<string[]> {
  const past = await sql<{ id: string; thread_id: string | null; turn: number | null }[]>`
    with recursive past as (
      select id, source from memories where user_id = ${userId} and id = ${memoryId}
      union
      select older.id, older.source from past join memories older on older.superseded_by = past.id
      where older.user_id = ${userId}
    )
    select id, source ->> 'thread_id' as thread_id, (source ->> 'turn')::int as turn from past`;
  if (past.length === 0) return [];
  await startEpoch(sql, userId);
  const turns = past.filter((row) => row.thread_id !== null && row.turn !== null);
  const threads = turns.map((row) => row.thread_id ?? '');
  const numbers = turns.map((row) => row.turn ?? 0);
  const gone = await sql<{ id: string }[]>`
    delete from memories
    where user_id = ${userId} and (
      id = any(${past.map((row) => row.id)}::uuid[])
      or (kind in ('turn', 'gist') and (source ->> 'thread_id', (source ->> 'turn')::int) in (
        select * from unnest(${threads}::text[], ${numbers}::int[]))))
    returning id`;
  await sql`
    with orphans as (
      update memories
      set context = '', context_terms = '', embedding_model = null, signs = null,
        revision = (select version from memory_versions where user_id = ${userId})
      where user_id = ${userId} and kind = 'turn' and (source ->> 'thread_id', (source ->> 'turn')::int) in (
        select thread, number + 1 from unnest(${threads}::text[], ${numbers}::int[]) as forgotten (thread, number))
      returning id
    )
    delete from memory_vectors where user_id = ${userId} and memory_id in (select id from orphans)`;
  return gone.map((row) => row.id);
}

export async function forgetEverything(sql: Transaction, userId: string): Promise<number> {
  await startEpoch(sql, userId);
  const { count } = await sql`delete from memories where user_id = ${userId}`;
  await sql`delete from memory_versions where user_id = ${userId}`;
  return count;
}

/** Every index of the user's memories, in every process, is of an older epoch from the commit on. */
async function startEpoch(sql: Transaction, userId: string): Promise<void> {
  await sql`
    insert into memory_versions (user_id, version) values (${userId}, 1)
    on conflict (user_id) do update set version = memory_versions.version + 1, epoch = gen_random_uuid()`;
}
