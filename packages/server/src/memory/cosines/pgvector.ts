import type { Cosines } from './cosines.ts';

/** Where pgvector is: the database compares, and only the results travel. */
export const pgvectorCosines: Cosines = async (sql, { userId, space, query, ids }) => {
  const vector = `[${query.join(',')}]`;
  const rows = await sql<{ id: string; near: number; context_near: number }[]>`
    select memory_id as id, 1 - (embedding::vector <=> ${vector}::text::vector) as near,
      1 - (coalesce(context_embedding, embedding)::vector <=> ${vector}::text::vector) as context_near
    from unnest(${ids}::uuid[]) as wanted (id)
    join memory_vectors on memory_id = wanted.id
    where user_id = ${userId} and model = ${space} and cardinality(embedding) = ${query.length}`;
  return new Map(rows.map(({ id, near, context_near }) => [id, [near, context_near]]));
};
