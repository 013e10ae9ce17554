/** Days and months of the ledger are Beijing's, as on the vendors' bills. China keeps one time all year. */
export const LEDGER_TIME_ZONE = 'Asia/Shanghai';
const OFFSET_MS = 8 * 3_600_000;

/** `2026-11-16` for the instant. */
export function ledgerDay(at: Date): string {
  return new Date(at.getTime() + OFFSET_MS).toISOString().slice(0, 10);
}

/** The instant at which a day begins. */
export function startOfDay(day: string): Date {
  return new Date(Date.parse(`${day}T00:00:00Z`) - OFFSET_MS);
}

export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
