import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { createTokenVerifier } from './tokens.ts';

const secret = 'a secret of at least thirty-two bytes';
const bytes = new TextEncoder().encode(secret);
const noon = new Date('2026-11-16T12:00:00Z');
const seconds = noon.getTime() / 1000;
const now = () => noon;

const claims = { sub: 'zhangsan', exp: seconds + 60 };
const sign = (payload: JWTPayload, key: Uint8Array = bytes, alg = 'HS256') =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(key);

describe('a shared secret', () => {
  const verify = createTokenVerifier({ secret, issuer: 'https://id.example', audience: 'kith' }, now);
  const good = { ...claims, iss: 'https://id.example', aud: 'kith' };

  test('`sub` is the user and `role` the role', async () => {
    expect(await verify(await sign(good))).toEqual({ userId: 'zhangsan', role: 'user' });
    expect(await verify(await sign({ ...good, role: 'admin' }))).toEqual({ userId: 'zhangsan', role: 'admin' });
    expect(await verify(await sign({ ...good, role: 'king' }))).toEqual({ userId: 'zhangsan', role: 'user' });
    expect(await verify(await sign({ ...good, aud: ['other', 'kith'] }))).toMatchObject({ userId: 'zhangsan' });
  });

  test.each<[name: string, token: () => Promise<string> | string]>([
    ['expired a second ago', () => sign({ ...good, exp: seconds - 1 })],
    ['without an end', () => sign({ ...good, exp: undefined })],
    ['not valid yet', () => sign({ ...good, nbf: seconds + 60 })],
    ['for another audience', () => sign({ ...good, aud: 'other' })],
    ['without an audience', () => sign({ ...good, aud: undefined })],
    ['of another issuer', () => sign({ ...good, iss: 'https://evil.example' })],
    ['without a user', () => sign({ ...good, sub: undefined })],
    ['with an empty user', () => sign({ ...good, sub: '' })],
    ['with a user id that hides something', () => sign({ ...good, sub: 'zhang\u200bsan' })],
    ['signed with another key', () => sign(good, new TextEncoder().encode('another secret, as long as the first one'))],
    ['signed with another algorithm', () => sign(good, bytes, 'HS512')],
    ['with the algorithm none', () => new UnsecuredJWT(good).encode()],
    ['with its payload changed', async () => forged(await sign(good))],
    ['that is no token', () => 'hello'],
  ])('a token %s is refused', async (_name, token) => {
    await expect(verify(await token())).rejects.toMatchObject({ code: 'TOKEN_INVALID', status: 401 });
  });

  test('the refusal says what is wrong and never repeats the token', async () => {
    const token = await sign({ ...good, exp: seconds - 1 });
    const refusal = await verify(token).catch((error: Error) => error.message);
    expect(refusal).toBe('the token has expired');
  });
});

const forged = (token: string) => {
  const [header, , signature] = token.split('.');
  const payload = Buffer.from(JSON.stringify({ ...claims, sub: 'admin', role: 'admin' })).toString('base64url');
  return `${header}.${payload}.${signature}`;
};

describe("an issuer's published keys", async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  const published = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' };
  let answer = 200;
  const issuer = createServer((_request, response) =>
    response.writeHead(answer).end(JSON.stringify({ keys: [published] })),
  );
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  afterAll(() => issuer.close());
  const jwksUrl = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`;
  const signed = (kid = 'one') => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);

  test('a token signed with one of them is accepted', async () => {
    expect(await createTokenVerifier({ jwksUrl }, now)(await signed())).toMatchObject({ userId: 'zhangsan' });
  });

  test('a key that was not published is refused', async () => {
    await expect(createTokenVerifier({ jwksUrl }, now)(await signed('two'))).rejects.toMatchObject({
      code: 'TOKEN_INVALID',
    });
  });

  test('the public key is no secret: a token that uses it as one is refused', async () => {
    const token = await sign(claims, new TextEncoder().encode(JSON.stringify(published)));
    await expect(createTokenVerifier({ jwksUrl }, now)(token)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  });

  test('an issuer that is away is our trouble and not a bad token', async () => {
    answer = 500;
    await expect(createTokenVerifier({ jwksUrl }, now)(await signed())).rejects.toMatchObject({ code: 'NOT_READY' });
    const nobody = createTokenVerifier({ jwksUrl: 'http://127.0.0.1:9/jwks' }, now);
    await expect(nobody(await signed())).rejects.toMatchObject({ code: 'NOT_READY' });
  });
});

test('algorithms that do not go with the kind of key stop the start', () => {
  expect(() => createTokenVerifier({ secret, algorithms: ['RS256'] })).toThrow('auth.jwt.algorithms: RS256');
  expect(() => createTokenVerifier({ jwksUrl: 'https://id.example', algorithms: ['RS256', 'HS256'] })).toThrow('HS256');
});
