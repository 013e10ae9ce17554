import type { Cosines } from './cosines.ts';

/** Where pgvector is: the database compares, and only the results travel. */
export const pgvectorCosines: Cosines = async (sql, { userId, space, query, ids }) => {
  // Materialized: the text of the vector is parsed once, and not again for every memory.
  const rows = await sql<{ id: string; near: number; context_near: number }[]>`
    with asked as materialized (select ${`[${query.join(',')}]`}::text::vector as vector)
    select memory_id as id, 1 - (embedding::vector <=> vector) as near,
      1 - (coalesce(context_embedding, embedding)::vector <=> vector) as context_near
    from asked, unnest(${ids}::uuid[]) as wanted (id)
    join memory_vectors on memory_id = wanted.id
    where user_id = ${userId} and model = ${space} and cardinality(embedding) = ${query.length}`;
  return new Map(rows.map(({ id, near, context_near }) => [id, [near, context_near]]));
};
