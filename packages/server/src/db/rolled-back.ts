import type { Sql, Transaction } from './connection.ts';

/** Does work in a transaction that is never committed, and gives what came out of it. */
export async function rolledBack<Result>(sql: Sql, work: (sql: Transaction) => Promise<Result>): Promise<Result> {
  let done: { result: Result } | undefined;
  await sql
    .begin(async (transaction) => {
      done = { result: await work(transaction) };
      throw new NeverMeant();
    })
    .catch((error: unknown) => {
      if (!(error instanceof NeverMeant)) throw error;
    });
  if (!done) throw new Error('the work gave no result');
  return done.result;
}

class NeverMeant extends Error {}
