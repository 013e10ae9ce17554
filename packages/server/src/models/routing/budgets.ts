import type { Pico } from '../../billing/index.ts';
import type { Key } from '../registry/entities.ts';

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
