import type { Sql, Transaction } from '../../db/index.ts';

/** How near memories are to a query: the cosine with the text's vector, and with that of the text and the one before it. */
export type Cosines = (
  sql: Sql | Transaction,
  request: { userId: string; space: string; query: Float32Array; ids: string[] },
) => Promise<Map<string, readonly [text: number, both: number]>>;
