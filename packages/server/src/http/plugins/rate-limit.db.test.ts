import { expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';
import type { Routes } from '../app.ts';

const routes: Routes = async (app) => {
  app.get('/api/v1/whoami', async (request) => request.caller);
};
const server = { rateLimit: { max: 3, windowSeconds: 60 } };

test('a user who asks too often is told when to come back, and nobody else is', async () => {
  const { app } = await testApp({ routes: [routes], config: { server } });
  const ask = (user: string) => app.inject({ url: '/api/v1/whoami', headers: { 'x-user-id': user } });
  for (let n = 0; n < 3; n += 1) expect((await ask('zhangsan')).statusCode).toBe(200);
  const refused = await ask('zhangsan');
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toMatchObject({ code: 'RATE_LIMITED' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers['x-ratelimit-limit']).toBe('3');
  expect((await ask('lisi')).statusCode).toBe(200);
  expect((await app.inject('/healthz')).statusCode).toBe(200);
});

test('guessing tokens is limited by address', async () => {
  const auth = { mode: 'jwt', jwt: { secret: 'a secret of at least thirty-two bytes' } } as const;
  const { app } = await testApp({ routes: [routes], config: { server, auth } });
  const guess = (remoteAddress: string) =>
    app.inject({ url: '/api/v1/whoami', headers: { authorization: `Bearer ${Math.random()}` }, remoteAddress });
  for (let n = 0; n < 3; n += 1) expect((await guess('203.0.113.7')).statusCode).toBe(401);
  expect((await guess('203.0.113.7')).json()).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  expect((await guess('203.0.113.8')).statusCode).toBe(401);
});
