import type { Config } from '../config/index.ts';
import { errors } from '../errors/index.ts';
import { isLoopback } from '../identity/index.ts';

/** What a browser says about where a request comes from and whom it thinks it talks to. */
export interface RequestSource {
  /** With port, as in the `Host` header. */
  host: string | undefined;
  origin: string | undefined;
  /** `Sec-Fetch-Site` and `Sec-Fetch-Mode`: there on requests that carry no `Origin`. */
  fetchSite?: string | undefined;
  fetchMode?: string | undefined;
}

export interface AccessPolicy {
  /** Throws unless the request was meant for this server and comes from a place that may talk to it. */
  check(source: RequestSource): void;
  /** Whether this origin is another one than the server's own, and configured: it gets CORS headers. */
  isConfigured(origin: string | undefined): origin is string;
}

/**
 * A page on the web can make a browser talk to a developer's server: by a plain request, by a WebSocket, or by a name
 * of its own that suddenly points at 127.0.0.1. The first two show in `Origin`, the last in `Host`.
 */
export function createAccessPolicy(config: Pick<Config, 'auth' | 'server'>): AccessPolicy {
  const origins = new Set(config.server.origins.map((origin) => new URL(origin).origin));
  const hosts = new Set(config.server.hosts.map((host) => host.toLowerCase()));
  const checksHost = config.auth.mode === 'dev';
  const isConfigured = (origin: string | undefined): origin is string => origin !== undefined && origins.has(origin);
  return {
    isConfigured,
    check: ({ host, origin, fetchSite, fetchMode }) => {
      const name = nameOf(host);
      if (checksHost && !(name && (isLoopback(name) || hosts.has(name)))) {
        throw errors.HOST_NOT_ALLOWED({
          detail: `${host ?? 'a request without Host'}: name it under server.hosts (KITH_HOSTS)`,
        });
      }
      if (origin !== undefined && !isConfigured(origin) && !isOwn(origin, host)) {
        throw errors.ORIGIN_NOT_ALLOWED({ detail: `${origin}: name it under server.origins (KITH_ORIGINS)` });
      }
      if (origin === undefined && fetchSite === 'cross-site' && fetchMode !== 'navigate') {
        throw errors.ORIGIN_NOT_ALLOWED();
      }
    },
  };
}

// The scheme is not compared: behind a proxy that ends TLS the page is https and the request is not.
function isOwn(origin: string, host: string | undefined): boolean {
  const own = URL.parse(origin);
  return own !== null && host !== undefined && own.host === URL.parse(`${own.protocol}//${host}`)?.host;
}

function nameOf(host: string | undefined): string | undefined {
  return host ? URL.parse(`http://${host}`)?.hostname.toLowerCase() : undefined;
}
