import type { Endpoint, Key, Model, Vendor } from '../registry/entities.ts';
import type { Breakers } from '../routing/breaker.ts';
import type { RateLimits } from '../routing/rate-limits.ts';
import type { Routes } from '../routing/routes.ts';
import type { CallFailure } from '../wire/call-failure.ts';

/** Where one attempt goes. */
export interface Target {
  model: Model;
  vendor: Vendor;
  endpoint: Endpoint;
  key: Key | undefined;
}

export interface Candidate {
  target: Target;
  /** How long the key's own limits want us to wait. */
  waitMs: number;
  /** It has not failed in this call yet: it can be tried at once. */
  fresh: boolean;
}

/** The state of the search for an answer from one model: what is left to try. */
export interface Search {
  /** The next target; undefined: nothing is left. */
  next(): Candidate | undefined;
  /** Takes a failed target into account. */
  failed(target: Target, failure: CallFailure): void;
}

const KEYLESS = '';

export function searchRoutes(model: Model, routes: Routes, breakers: Breakers, limits: RateLimits): Search {
  const deadKeys = new Set<string>();
  const limitedKeys = new Set<string>();
  const slowEndpoints = new Set<string>();
  const failedEndpoints = new Set<string>();
  let lastEndpoint: string | undefined;

  const pickKey = (): { key: Key | undefined; waitMs: number } | undefined => {
    if (routes.keyless) return { key: undefined, waitMs: 0 };
    const alive = routes.keys.filter((key) => !deadKeys.has(key.id));
    const fresh = alive.filter((key) => !limitedKeys.has(key.id));
    const ranked = (fresh.length > 0 ? fresh : alive).map((key) => ({ key, waitMs: limits.waitMs(key) }));
    // The first that is free; if all are busy, the one that is free soonest.
    return ranked.find(({ waitMs }) => waitMs === 0) ?? ranked.sort((a, b) => a.waitMs - b.waitMs)[0];
  };

  const pickEndpoint = (): Endpoint | undefined => {
    const left = routes.endpoints.filter(({ id }) => !slowEndpoints.has(id));
    // After a failure another endpoint comes first, and the same one again only where there is no other.
    const ordered = [...left.filter(({ id }) => id !== lastEndpoint), ...left.filter(({ id }) => id === lastEndpoint)];
    return ordered.find(({ id }) => breakers.allows(id));
  };

  return {
    next: () => {
      const picked = pickKey();
      const endpoint = picked && pickEndpoint();
      if (!picked || !endpoint) return undefined;
      const fresh = !failedEndpoints.has(endpoint.id) && !limitedKeys.has(picked.key?.id ?? KEYLESS);
      return { target: { model, vendor: routes.vendor, endpoint, key: picked.key }, waitMs: picked.waitMs, fresh };
    },
    failed: ({ endpoint, key }, { kind }) => {
      if (key && (kind === 'unauthorized' || kind === 'unpaid')) deadKeys.add(key.id);
      else if (kind === 'limited') limitedKeys.add(key?.id ?? KEYLESS);
      else {
        // Silence is not asked twice: whoever waits has waited long enough.
        if (kind === 'timeout') slowEndpoints.add(endpoint.id);
        failedEndpoints.add(endpoint.id);
        lastEndpoint = endpoint.id;
      }
    },
  };
}
