import { isKithError } from '../errors/index.ts';

/** What a script can rely on. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, configuration: 3, unavailable: 4, notFound: 5 } as const;

export function exitCodeOf(error: unknown): number {
  if (!isKithError(error)) return exitCodes.failed;
  if (error.code === 'CONFIG_INVALID') return exitCodes.configuration;
  if (error.code === 'DATABASE_LOCKED' || error.code === 'ADDRESS_IN_USE') return exitCodes.unavailable;
  if (error.status === 503) return exitCodes.unavailable;
  if (error.status === 404) return exitCodes.notFound;
  return error.status === 400 ? exitCodes.usage : exitCodes.failed;
}
