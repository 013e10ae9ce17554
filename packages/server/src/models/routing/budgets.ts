import type { Pico } from '../../billing/index.ts';
import type { Sql } from '../../db/index.ts';
import type { Key, Snapshot } from '../registry/entities.ts';
import { readMonthlySpending } from '../usage/monthly-spending.ts';

/** What each key has cost this month: the ledger's figure, plus what this process booked since it was read. */
export interface Budgets {
  exhausted(key: Key): boolean;
  spend(keyId: string, cost: Pico): void;
  spentBy(keyId: string): Pico;
  /** The ledger's figures, read anew. */
  replace(spent: ReadonlyMap<string, Pico>): void;
}

export function createBudgets(): Budgets {
  let spent = new Map<string, Pico>();
  const spentBy = (keyId: string) => spent.get(keyId) ?? 0n;
  return {
    exhausted: (key) => key.monthlyBudget !== null && spentBy(key.id) >= key.monthlyBudget,
    spend: (keyId, cost) => {
      spent.set(keyId, spentBy(keyId) + cost);
    },
    spentBy,
    replace: (figures) => {
      spent = new Map(figures);
    },
  };
}

const AGAIN_AFTER_MS = 60_000;

/** Reads what the keys have cost, where any of them has a budget: after a change of the registry, and every minute. */
export function budgetReader(budgets: Budgets, sql: Sql, now: () => Date) {
  let readAt = Number.NEGATIVE_INFINITY;
  return async ({ keys }: Snapshot, changed: boolean): Promise<void> => {
    const limited = [...keys.values()].some((list) => list.some(({ monthlyBudget }) => monthlyBudget !== null));
    const at = now();
    if (!limited || (!changed && at.getTime() - readAt < AGAIN_AFTER_MS)) return;
    readAt = at.getTime();
    budgets.replace(await readMonthlySpending(sql, at));
  };
}
