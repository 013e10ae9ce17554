import { stored } from '../app/stored.ts';

/** Whom requests speak for. In dev auth a name is enough; else there is a token. */
export interface Identity {
  /** Sent as `X-User-Id`; the server's own default when it is empty. */
  userId: string;
  /** Sent as `X-User-Role`; believed in dev auth only. */
  isAdmin: boolean;
  token: string;
}

const nobody: Identity = { userId: '', isAdmin: false, token: '' };

export const identity = stored<Identity>(
  'kith.identity',
  (text) => {
    try {
      const value: unknown = JSON.parse(text ?? '{}');
      if (typeof value !== 'object' || value === null) return nobody;
      return {
        userId: 'userId' in value && typeof value.userId === 'string' ? value.userId : '',
        isAdmin: 'isAdmin' in value && value.isAdmin === true,
        token: 'token' in value && typeof value.token === 'string' ? value.token : '',
      };
    } catch {
      return nobody;
    }
  },
  (value) => JSON.stringify(value),
);

/** A header holds no more than visible ASCII. */
export const isUserIdForHeader = (text: string): boolean => /^[\x21-\x7e]{1,128}$/.test(text);

export function identityHeaders(): Record<string, string> {
  const { userId, isAdmin, token } = identity.get();
  return {
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    ...(userId && isUserIdForHeader(userId) ? { 'x-user-id': userId } : {}),
    ...(isAdmin ? { 'x-user-role': 'admin' } : {}),
  };
}
