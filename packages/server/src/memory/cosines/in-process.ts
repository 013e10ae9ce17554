import type { Cosines } from './cosines.ts';

/** Where pgvector is not: the vectors of these memories come here to be compared. */
export const inProcessCosines: Cosines = async (sql, { userId, space, query, ids }) => {
  const rows = await sql<{ id: string; embedding: number[]; context_embedding: number[] }[]>`
    select memory_id as id, embedding, coalesce(context_embedding, embedding) as context_embedding
    from unnest(${ids}::uuid[]) as wanted (id)
    join memory_vectors on memory_id = wanted.id
    where user_id = ${userId} and model = ${space} and cardinality(embedding) = ${query.length}`;
  return new Map(rows.map((row) => [row.id, [cosine(row.embedding, query), cosine(row.context_embedding, query)]]));
};

function cosine(a: readonly number[], b: Float32Array): number {
  let dot = 0;
  let lengthA = 0;
  let lengthB = 0;
  for (let at = 0; at < b.length; at++) {
    const x = a[at] ?? 0;
    const y = b[at] ?? 0;
    dot += x * y;
    lengthA += x * x;
    lengthB += y * y;
  }
  return dot / Math.sqrt(lengthA * lengthB || 1);
}
