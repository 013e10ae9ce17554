import type { Cosines } from './cosines.ts';

/** Where pgvector is not: the vectors of these memories come here to be compared, in the form that takes least reading. */
export const inProcessCosines: Cosines = async (sql, { userId, space, query, ids }) => {
  const rows = await sql<{ id: string; embedding: Buffer; context_embedding: Buffer | null }[]>`
    select memory_id as id, array_send(embedding) as embedding, array_send(context_embedding) as context_embedding
    from unnest(${ids}::uuid[]) as wanted (id)
    join memory_vectors on memory_id = wanted.id
    where user_id = ${userId} and model = ${space} and cardinality(embedding) = ${query.length}`;
  return new Map(
    rows.map((row) => {
      const near = cosine(row.embedding, query);
      return [row.id, [near, row.context_embedding ? cosine(row.context_embedding, query) : near]];
    }),
  );
};

/** PostgreSQL's binary form of an array: five numbers about it, then for each element its length and its value. */
const HEADER_BYTES = 20;
const ELEMENT_BYTES = 8;

function cosine(array: Buffer, query: Float32Array): number {
  let dot = 0;
  let own = 0;
  let asked = 0;
  for (let at = 0; at < query.length; at++) {
    const x = array.readFloatBE(HEADER_BYTES + at * ELEMENT_BYTES + 4);
    const y = query[at] ?? 0;
    dot += x * y;
    own += x * x;
    asked += y * y;
  }
  return dot / Math.sqrt(own * asked || 1);
}
