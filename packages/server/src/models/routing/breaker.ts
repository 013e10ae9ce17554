/** Per endpoint: after several failures in a row it is left alone for a while, then one call may try whether it is back. */
export interface Breakers {
  /** Whether a call may go there now. A half-open endpoint says yes once, to the call that tries it. */
  allows(endpointId: string): boolean;
  succeeded(endpointId: string): void;
  failed(endpointId: string): void;
  /** A call that proved nothing either way (canceled, refused): a trial is given back. */
  released(endpointId: string): void;
  stateOf(endpointId: string): 'closed' | 'open' | 'half_open';
}

interface State {
  failures: number;
  openUntil: number;
  trying: boolean;
}

export interface BreakerOptions {
  /** Failures in a row that open it. */
  threshold?: number;
  coolDownMs?: number;
}

export function createBreakers(now: () => number, options: BreakerOptions = {}): Breakers {
  const { threshold = 5, coolDownMs = 30_000 } = options;
  const states = new Map<string, State>();
  const stateOf = (id: string) => {
    const state = states.get(id);
    if (!state || state.failures < threshold) return 'closed';
    return now() < state.openUntil ? 'open' : 'half_open';
  };
  return {
    stateOf,
    allows: (id) => {
      const condition = stateOf(id);
      if (condition === 'closed') return true;
      const state = states.get(id);
      if (condition === 'open' || !state || state.trying) return false;
      state.trying = true;
      return true;
    },
    succeeded: (id) => {
      states.delete(id);
    },
    failed: (id) => {
      const failures = (states.get(id)?.failures ?? 0) + 1;
      states.set(id, { failures, openUntil: now() + coolDownMs, trying: false });
    },
    released: (id) => {
      const state = states.get(id);
      if (state) state.trying = false;
    },
  };
}
