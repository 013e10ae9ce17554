/** Waits before attempt `count` + 1: half a second, doubling to ten, never twice the same; or until the network is back. */
export function waitBeforeRetry(count: number, signal: AbortSignal): Promise<void> {
  const longest = Math.min(10_000, 500 * 2 ** count);
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, longest * (0.5 + Math.random() / 2));
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
