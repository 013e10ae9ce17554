/** How long a caller may be kept waiting for a limit to clear before we rather say so. */
export const LONGEST_WAIT_MS = 20_000;

const FIRST_MS = 250;
const GROWTH = 3;

/**
 * The pause before a further attempt: the vendor's word where it gave one, else growing steps with full jitter, so that
 * callers that failed together do not come back together. Undefined: too long to wait.
 */
export function pauseBefore(retry: number, retryAfterMs: number | undefined, random: () => number): number | undefined {
  if (retryAfterMs !== undefined) {
    const pause = retryAfterMs + random() * Math.min(retryAfterMs * 0.1, 500);
    return pause > LONGEST_WAIT_MS ? undefined : pause;
  }
  const ceiling = FIRST_MS * GROWTH ** retry;
  return Math.min(ceiling / 2 + (random() * ceiling) / 2, LONGEST_WAIT_MS);
}

/** Waits, or gives up with the signal's reason. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
