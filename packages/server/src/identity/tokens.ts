import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, errors as joseErrors, jwtVerify } from 'jose';
import type { Config } from '../config/index.ts';
import { errors } from '../errors/index.ts';
import type { Caller } from './caller.ts';
import { asUserId } from './user-id.ts';

type JwtConfig = Config['auth']['jwt'];
export type TokenVerifier = (token: string) => Promise<Caller>;

/** Checks tokens against a shared secret or an issuer's published keys. `now` is the clock that expiry is judged by. */
export function createTokenVerifier(config: JwtConfig, now: () => Date = () => new Date()): TokenVerifier {
  const { key, algorithms } = trustOf(config);
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms,
        // A token without an end would be good for ever once it leaks.
        requiredClaims: ['exp', 'sub'],
        currentDate: now(),
        ...(config.issuer ? { issuer: config.issuer } : {}),
        ...(config.audience ? { audience: config.audience } : {}),
      });
      return callerOf(payload);
    } catch (error) {
      throw refusal(error);
    }
  };
}

/**
 * The algorithms are pinned to the kind of key: a public key must never be usable as an HMAC secret,
 * which is what a token that chooses its own algorithm would ask for.
 */
function trustOf(config: JwtConfig): { key: JWTVerifyGetKey; algorithms: string[] } {
  const { secret, jwksUrl } = config;
  if (secret) {
    const bytes = new TextEncoder().encode(secret);
    return { key: async () => bytes, algorithms: allowed(config, ['HS256']) };
  }
  if (jwksUrl) {
    const keys = createRemoteJWKSet(new URL(jwksUrl), { timeoutDuration: 5_000, cooldownDuration: 10_000 });
    return { key: keys, algorithms: allowed(config, ['RS256', 'PS256', 'ES256', 'EdDSA']) };
  }
  throw errors.CONFIG_INVALID({ detail: 'auth.jwt: jwt auth needs `secret` or `jwksUrl`' });
}

function allowed(config: JwtConfig, possible: string[]): string[] {
  const wanted = config.algorithms ?? possible;
  const wrong = wanted.filter((algorithm) => !possible.includes(algorithm));
  if (wrong.length === 0) return wanted;
  const kind = config.secret ? 'a secret' : 'published keys';
  throw errors.CONFIG_INVALID({
    detail: `auth.jwt.algorithms: ${wrong.join(', ')} cannot be used with ${kind}; expected ${possible.join(', ')}`,
  });
}

function callerOf(payload: JWTPayload): Caller {
  const userId = asUserId(payload.sub);
  if (!userId) throw errors.TOKEN_INVALID({ detail: 'sub is not a user id' });
  return { userId, role: payload.role === 'admin' ? 'admin' : 'user' };
}

/** Says what is wrong with a token in our own words: the caller may be told, and the token itself never comes back. */
function refusal(error: unknown): unknown {
  if (error instanceof joseErrors.JWTExpired) return errors.TOKEN_INVALID({ detail: 'the token has expired' }, error);
  if (error instanceof joseErrors.JWTClaimValidationFailed) {
    return errors.TOKEN_INVALID({ detail: `the claim \`${error.claim}\` is missing or not accepted` }, error);
  }
  if (error instanceof joseErrors.JOSEAlgNotAllowed) {
    return errors.TOKEN_INVALID({ detail: 'the algorithm is not accepted' }, error);
  }
  if (error instanceof joseErrors.JWKSTimeout || error instanceof joseErrors.JWKSInvalid || isUnreachable(error)) {
    return errors.NOT_READY({ detail: 'the keys that tokens are checked with cannot be had at the moment' }, error);
  }
  if (error instanceof joseErrors.JOSEError) return errors.TOKEN_INVALID({}, error);
  return error;
}

/** `fetch` fails with a TypeError; an answer other than 200 is a bare JOSEError. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof joseErrors.JOSEError) return error.code === 'ERR_JOSE_GENERIC';
  return error instanceof TypeError && error.message === 'fetch failed';
}
