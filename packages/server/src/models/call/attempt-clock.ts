import { CallFailure } from '../wire/call-failure.ts';

/** The signal of one attempt: aborted by the caller, or by silence. */
export interface AttemptClock {
  signal: AbortSignal;
  /** Something arrived: the time starts anew. */
  progress(): void;
  end(): void;
}

export function startAttemptClock(silenceMs: number, caller: AbortSignal | undefined): AttemptClock {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new CallFailure('timeout', `nothing came for ${silenceMs} ms`)),
    silenceMs,
  );
  const onCaller = () => controller.abort(canceledBy(caller));
  if (caller?.aborted) onCaller();
  else caller?.addEventListener('abort', onCaller, { once: true });
  return {
    signal: controller.signal,
    progress: () => timer.refresh(),
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onCaller);
    },
  };
}

export function canceledBy(caller: AbortSignal | undefined): CallFailure {
  return new CallFailure('canceled', 'the caller gave up', {}, caller?.reason);
}
