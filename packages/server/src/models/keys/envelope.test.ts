import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSecret, rewrapSecret, sealSecret } from './envelope.ts';
import { type MasterKeys, masterKeyOf } from './master-keys.ts';

const keys = (...bytes: Buffer[]): MasterKeys => {
  const [current = masterKeyOf(randomBytes(32)), ...previous] = bytes.map(masterKeyOf);
  return { current, previous, file: undefined };
};
const one = randomBytes(32);
const two = randomBytes(32);

describe('a secret at rest', () => {
  test('opens in its own row with its own master key, and nowhere else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.uuid(), fc.uuid(), (secret, row, other) => {
        fc.pre(row !== other);
        const sealed = sealSecret(secret, row, keys(one).current);
        expect(sealed).not.toContain(secret.length > 3 ? secret : '\u0000');
        expect(openSecret(sealed, row, keys(one))).toBe(secret);
        expect(openSecret(sealed, row, keys(two, one))).toBe(secret);
        expect(openSecret(sealed, other, keys(one))).toBeUndefined();
        expect(openSecret(sealed, row, keys(two))).toBeUndefined();
      }),
    );
  });

  test('is written as version, master key, iv, tag, ciphertext and wrapped data key, and differs each time', () => {
    const sealed = sealSecret('sk-secret', 'row', keys(one).current);
    expect(sealed).toMatch(/^v1:[0-9a-f]{12}:[\w-]{16}:[\w-]{22}:[\w-]{12}:[\w-]{80}$/);
    expect(sealSecret('sk-secret', 'row', keys(one).current)).not.toBe(sealed);
  });

  test('does not open with a single byte changed', () => {
    const sealed = sealSecret('sk-secret-of-some-length', 'row', keys(one).current);
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
      const opened = openSecret(changed, 'row', keys(one));
      // The last character of a base64 group may carry bits that mean nothing.
      expect(opened === undefined || opened === 'sk-secret-of-some-length').toBe(true);
    }
    expect(openSecret('v2:x', 'row', keys(one))).toBeUndefined();
    expect(openSecret('', 'row', keys(one))).toBeUndefined();
  });

  test('goes over to a new master key without being written anew', () => {
    const sealed = sealSecret('sk-secret', 'row', keys(one).current);
    const rewrapped = rewrapSecret(sealed, 'row', keys(two, one)) ?? '';
    expect(openSecret(rewrapped, 'row', keys(two))).toBe('sk-secret');
    expect(openSecret(rewrapped, 'row', keys(one))).toBeUndefined();
    expect(rewrapped.split(':').slice(2, 5)).toEqual(sealed.split(':').slice(2, 5));
    expect(rewrapSecret(sealed, 'other row', keys(two, one))).toBeUndefined();
  });
});
