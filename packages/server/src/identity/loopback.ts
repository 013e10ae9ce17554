import { isIP } from 'node:net';
import type { Config } from '../config/index.ts';
import { errors } from '../errors/index.ts';

/** Whether a host name or address (without port; IPv6 with or without brackets) means this machine and no other. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  if (isIP(name) === 4) return name.startsWith('127.');
  return name === '::1' || name.startsWith('::ffff:127.');
}

/** Dev auth believes whatever a request says of itself, so it may listen to this machine only. */
export function refuseOpenDevAuth(config: Pick<Config, 'auth' | 'server'>): void {
  if (config.auth.mode !== 'dev' || isLoopback(config.server.host)) return;
  throw errors.CONFIG_INVALID({
    detail: `server.host: ${config.server.host} can be reached from other machines, and dev auth lets everyone in as anyone. Use 127.0.0.1, or set auth.mode to jwt (KITH_AUTH=jwt with KITH_JWT_SECRET or KITH_JWKS_URL).`,
  });
}
