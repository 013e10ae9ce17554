import type { BenchModel } from './model.ts';
import type { Meter } from './postgres.ts';
import type { Place, SetUp } from './set-ups.ts';

/** What every measurement works with. */
export interface Lab {
  model: BenchModel;
  meter: Meter;
  profileFolder?: string | undefined;
  tell(progress: string): void;
}

/** A measurement that failed is a line in the report, not the end of the bench. */
export type Outcome<T> = { value: T } | { failure: string };

export const attempt = <T>(work: () => Promise<T>): Promise<Outcome<T>> =>
  work().then(
    (value) => ({ value }),
    (error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }),
  );

/** A database of its own for one set-up and one measurement. */
export async function placeFor({ model, meter }: Lab, setUp: SetUp, purpose: string): Promise<Place> {
  const databaseUrl = setUp.keepsIn ? await meter.create(databaseOf(setUp, purpose), setUp.keepsIn) : '';
  return { databaseUrl, modelUrl: model.url };
}

export const databaseOf = ({ id }: SetUp, purpose: string): string => `${id}-${purpose}`;
