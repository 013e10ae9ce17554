import { openSecret, sealSecret } from './envelope.ts';
import type { MasterKeys } from './master-keys.ts';

/** How much of a secret lists may show: enough to recognise it, useless to anyone else. */
export function prefixOf(secret: string): string {
  const shown = Math.min(6, Math.floor(secret.length / 4));
  return `${secret.slice(0, shown)}…`;
}

/** Secrets of vendor keys: sealed for the database, opened for a request, and kept out of every text that leaves. */
export interface Secrets {
  seal(secret: string, keyId: string): string;
  open(sealed: string, keyId: string): string | undefined;
  /** The text without any secret that was opened in this process. */
  scrub(text: string): string;
}

/** `load` reads the master keys anew: another process may have rotated them. */
export function createSecrets(load: () => MasterKeys): Secrets {
  let masterKeys = load();
  const opened = new Map<string, string>();
  const known = new Set<string>();
  const row = (keyId: string) => `vendor_keys/${keyId}`;
  const openAnew = (sealed: string, keyId: string) => {
    masterKeys = load();
    return openSecret(sealed, row(keyId), masterKeys);
  };
  return {
    seal: (secret, keyId) => {
      masterKeys = load();
      known.add(secret);
      return sealSecret(secret, row(keyId), masterKeys.current);
    },
    open: (sealed, keyId) => {
      const cached = opened.get(sealed);
      if (cached !== undefined) return cached;
      const secret = openSecret(sealed, row(keyId), masterKeys) ?? openAnew(sealed, keyId);
      if (secret === undefined) return undefined;
      opened.set(sealed, secret);
      known.add(secret);
      return secret;
    },
    scrub: (text) => {
      let clean = text;
      for (const secret of known) if (clean.includes(secret)) clean = clean.replaceAll(secret, prefixOf(secret));
      return clean.replace(KEY_LIKE, '[key]');
    },
  };
}

/** Vendors like to repeat a wrong key in their error, whole or with stars in it. */
const KEY_LIKE = /\b(?:sk|sim|ak|key)-[A-Za-z0-9*_-]{8,}/g;
