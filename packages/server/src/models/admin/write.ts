import { errors } from '../../errors/index.ts';

/** Turns what the database refuses into what the caller did: a name that is taken, or something that is still needed. */
export async function writing<Value>(what: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    const code = sqlState(error);
    if (code === '23505') throw errors.ALREADY_EXISTS({ detail: `${what} exists already` }, error);
    if (code === '23503' || code === '23001')
      throw errors.IN_USE({ detail: `${what} is still in use by an agent` }, error);
    throw error;
  }
}

/** Drizzle wraps the driver's error. */
function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return sqlState(error.cause);
}

export const instant = (date: Date): string => date.toISOString();
export const instantOrNull = (date: Date | null): string | null => date?.toISOString() ?? null;
