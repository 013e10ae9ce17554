import type { Config } from '../config/index.ts';
import { errors } from '../errors/index.ts';
import type { Caller, Credentials } from './caller.ts';
import { SERVICE_KEY_MARK, type ServiceKeys } from './service-keys.ts';
import { createTokenVerifier } from './tokens.ts';
import { asUserId } from './user-id.ts';

export interface Identity {
  /** Who these credentials belong to; throws when they are missing or not good. */
  identify(credentials: Credentials): Promise<Caller>;
  serviceKeys: ServiceKeys;
}

export interface IdentityOptions {
  auth: Config['auth'];
  serviceKeys: ServiceKeys;
  now?: () => Date;
}

export function createIdentity({ auth, serviceKeys, now }: IdentityOptions): Identity {
  const identifyUser = auth.mode === 'jwt' ? byToken(createTokenVerifier(auth.jwt, now)) : byDevHeaders;
  return {
    serviceKeys,
    identify: async (credentials) =>
      credentials.bearer?.startsWith(SERVICE_KEY_MARK)
        ? byServiceKey(serviceKeys, credentials.bearer, credentials.onBehalfOf)
        : identifyUser(credentials),
  };
}

async function byServiceKey(serviceKeys: ServiceKeys, key: string, onBehalfOf?: string): Promise<Caller> {
  const service = await serviceKeys.find(key);
  if (!service) throw errors.TOKEN_INVALID({ detail: 'this service key is unknown or was revoked' });
  if (onBehalfOf === undefined)
    return { userId: `service:${service.label}`, role: service.role, service: service.label };
  const userId = asUserId(onBehalfOf);
  if (!userId) throw notAnId('X-On-Behalf-Of');
  // Acting for a user means having that user's rights, not the service's own.
  return { userId, role: 'user', service: service.label };
}

const byToken =
  (verify: (token: string) => Promise<Caller>) =>
  async ({ bearer, queryToken }: Credentials): Promise<Caller> => {
    const token = bearer ?? queryToken;
    if (!token) throw errors.UNAUTHENTICATED();
    return verify(token);
  };

async function byDevHeaders({ userId: named, role }: Credentials): Promise<Caller> {
  const userId = asUserId(named ?? 'dev');
  if (!userId) throw notAnId('X-User-Id');
  return { userId, role: role === 'admin' ? 'admin' : 'user' };
}

const notAnId = (header: string) =>
  errors.REQUEST_INVALID({ fields: [{ field: header, message: 'expected a user id of 1 to 128 characters' }] });
