import type { Cosines } from './cosines.ts';

/** Where pgvector is: the database compares, and only the results travel. */
export const pgvectorCosines: Cosines = async (sql, { userId, space, query, ids }) => {
  const vector = `[${query.join(',')}]`;
  const rows = await sql<{ id: string; text: number; both: number }[]>`
    select id, 1 - (embedding::vector <=> ${vector}::text::vector) as text,
      1 - (coalesce(context_embedding, embedding)::vector <=> ${vector}::text::vector) as both
    from memories
    where user_id = ${userId} and id = any(${ids as string[]}::uuid[]) and embedding_model = ${space}
      and cardinality(embedding) = ${query.length}`;
  return new Map(rows.map(({ id, text, both }) => [id, [text, both]]));
};
