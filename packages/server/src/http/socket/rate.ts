/** Allows `max` messages in a window, and then as they would trickle back. */
export function createRate(
  { max, windowSeconds }: { max: number; windowSeconds: number },
  now: () => number = Date.now,
) {
  let left = max;
  let last = now();
  return {
    /** Whether one more is allowed now. */
    take(): boolean {
      const moment = now();
      left = Math.min(max, left + ((moment - last) / 1000) * (max / windowSeconds));
      last = moment;
      if (left < 1) return false;
      left--;
      return true;
    },
  };
}
