import type { Cosines } from './cosines.ts';

/** Where pgvector is not: the vectors of these memories come here to be compared. */
export const inProcessCosines: Cosines = async (sql, { userId, space, query, ids }) => {
  const rows = await sql<{ id: string; text: number[]; both: number[] }[]>`
    select id, embedding as text, coalesce(context_embedding, embedding) as both
    from memories
    where user_id = ${userId} and id = any(${ids as string[]}::uuid[]) and embedding_model = ${space}
      and cardinality(embedding) = ${query.length}`;
  return new Map(rows.map(({ id, text, both }) => [id, [cosine(text, query), cosine(both, query)]]));
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
