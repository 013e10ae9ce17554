import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../../test/app.ts';
import type { Routes } from '../app.ts';
import { requireAdmin, subjectOf } from '../caller.ts';

const routes: Routes = async (app) => {
  app.get('/api/v1/whoami', async (request) => request.caller);
  app.get('/api/v1/stream', { config: { tokenInQuery: true } }, async (request) => request.caller);
  app.get('/api/v1/users/:user_id', { schema: { params: z.object({ user_id: z.string() }) } }, async (request) => ({
    subject: subjectOf(request, request.params.user_id),
  }));
  app.get('/api/v1/admin', async (request) => {
    requireAdmin(request);
    return {};
  });
};

describe('dev auth', async () => {
  const { app, identity } = await testApp({ routes: [routes] });
  const whoami = async (headers: Record<string, string>) =>
    (await app.inject({ url: '/api/v1/whoami', headers })).json();

  test('headers name the user and the role; without them the user is `dev`', async () => {
    expect(await whoami({})).toEqual({ userId: 'dev', role: 'user' });
    expect(await whoami({ 'x-user-id': 'zhangsan' })).toEqual({ userId: 'zhangsan', role: 'user' });
    expect(await whoami({ 'x-user-id': 'root', 'x-user-role': 'admin' })).toEqual({ userId: 'root', role: 'admin' });
    expect(await whoami({ 'x-user-id': 'x'.repeat(129) })).toMatchObject({ code: 'REQUEST_INVALID' });
  });

  test('another user’s data is refused, except to an administrator', async () => {
    const ask = (url: string, headers: Record<string, string>) => app.inject({ url, headers });
    const zhangsan = { 'x-user-id': 'zhangsan' };
    expect((await ask('/api/v1/users/me', zhangsan)).json()).toEqual({ subject: 'zhangsan' });
    expect((await ask('/api/v1/users/zhangsan', zhangsan)).json()).toEqual({ subject: 'zhangsan' });
    expect((await ask('/api/v1/users/lisi', zhangsan)).json()).toMatchObject({ status: 403, code: 'NOT_YOUR_DATA' });
    expect((await ask('/api/v1/users/lisi', { ...zhangsan, 'x-user-role': 'admin' })).json()).toEqual({
      subject: 'lisi',
    });
    expect((await ask('/api/v1/admin', zhangsan)).json()).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });

  test('a service key acts for a user with that user’s rights, and for itself with its own', async () => {
    const { key } = await identity.serviceKeys.add('billing', 'admin');
    const authorization = `Bearer ${key}`;
    expect(await whoami({ authorization, 'x-on-behalf-of': 'zhangsan' })).toEqual({
      userId: 'zhangsan',
      role: 'user',
      service: 'billing',
    });
    expect(await whoami({ authorization })).toEqual({ userId: 'service:billing', role: 'admin', service: 'billing' });
    expect(await whoami({ authorization, 'x-user-id': 'lisi', 'x-user-role': 'admin' })).toMatchObject({
      userId: 'service:billing',
    });
    expect(await whoami({ authorization, 'x-on-behalf-of': '' })).toMatchObject({ code: 'REQUEST_INVALID' });
  });

  test('a service key is stored as a hash, and refused once revoked', async () => {
    const issued = await identity.serviceKeys.add('proxy', 'user');
    expect(JSON.stringify(await identity.serviceKeys.list())).not.toContain(issued.key);
    expect(issued.key.startsWith(issued.prefix)).toBe(true);
    await identity.serviceKeys.revoke(issued.prefix);
    expect(await whoami({ authorization: `Bearer ${issued.key}` })).toMatchObject({
      status: 401,
      code: 'TOKEN_INVALID',
    });
    expect(await whoami({ authorization: 'Bearer ksk_guess' })).toMatchObject({ status: 401, code: 'TOKEN_INVALID' });
  });
});

describe('jwt auth', async () => {
  const secret = 'a secret of at least thirty-two bytes';
  const jwt = { auth: { mode: 'jwt', jwt: { secret } } } as const;
  const { app, identity, logged } = await testApp({ routes: [routes], config: jwt });
  const token = await new SignJWT({ sub: 'zhangsan' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(new TextEncoder().encode(secret));

  test('a token says who is calling, and the headers of dev auth are not believed', async () => {
    const headers = {
      authorization: `Bearer ${token}`,
      'x-user-id': 'lisi',
      'x-user-role': 'admin',
      'x-on-behalf-of': 'lisi',
    };
    const answer = await app.inject({ url: '/api/v1/whoami', headers });
    expect(answer.json()).toEqual({ userId: 'zhangsan', role: 'user' });
  });

  test('without a token the caller is asked for one; a bad one is named so', async () => {
    const nobody = await app.inject({ url: '/api/v1/whoami', headers: { 'x-user-id': 'lisi' } });
    expect(nobody.json()).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(nobody.headers['www-authenticate']).toBe('Bearer');
    const bad = await app.inject({ url: '/api/v1/whoami', headers: { authorization: 'Bearer x.y.z' } });
    expect(bad.json()).toMatchObject({ status: 401, code: 'TOKEN_INVALID' });
    expect(bad.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });

  test('a token in the query counts on streams only, and is never logged', async () => {
    expect((await app.inject(`/api/v1/stream?access_token=${token}`)).json()).toMatchObject({ userId: 'zhangsan' });
    expect((await app.inject(`/api/v1/whoami?access_token=${token}`)).json()).toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    expect((await app.inject('/api/v1/stream?access_token=nonsense')).json()).toMatchObject({ code: 'TOKEN_INVALID' });
    const { key } = await identity.serviceKeys.add('proxy', 'user');
    expect((await app.inject(`/api/v1/stream?access_token=${key}`)).json()).toMatchObject({ code: 'TOKEN_INVALID' });
    expect(logged.length).toBeGreaterThan(3);
    expect(
      logged.filter((line) => line.includes(token) || line.includes('access_token') || line.includes(key)),
    ).toEqual([]);
  });

  test('health, metrics and the description of the API need no token', async () => {
    for (const url of ['/healthz', '/readyz', '/metrics', '/openapi.json', '/docs']) {
      expect((await app.inject(url)).statusCode, url).toBe(200);
    }
  });
});
