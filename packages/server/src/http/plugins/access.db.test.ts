import type { AddressInfo } from 'node:net';
import websocket from '@fastify/websocket';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { testApp } from '../../../test/app.ts';
import type { Routes } from '../app.ts';

const routes: Routes = async (app) => {
  await app.register(websocket);
  app.get('/api/v1/whoami', async (request) => request.caller);
  app.post('/api/v1/things', async () => ({}));
  app.get('/api/v1/socket', { websocket: true }, (socket) => socket.send('welcome'));
};
const { app } = await testApp({ routes: [routes], config: { server: { origins: ['https://app.example'] } } });
await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;

test('a name that was made to point here gets nothing, on any path', async () => {
  for (const url of ['/api/v1/whoami', '/healthz', '/', '/openapi.json']) {
    const answer = await app.inject({ url, headers: { host: 'evil.example:7070' } });
    expect(answer.statusCode, url).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'HOST_NOT_ALLOWED' });
  }
});

test('a page of another origin cannot write, and sees no header that would let it read', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/v1/things',
    headers: { origin: 'https://evil.example' },
  });
  expect(answer.json()).toMatchObject({ status: 403, code: 'ORIGIN_NOT_ALLOWED' });
  expect(answer.headers['access-control-allow-origin']).toBeUndefined();
});

test('a configured origin is answered with CORS headers, errors included', async () => {
  const headers = { origin: 'https://app.example' };
  for (const url of ['/api/v1/whoami', '/api/v1/nothing']) {
    const answer = await app.inject({ url, headers });
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': 'https://app.example', vary: 'Origin' });
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  }
});

test('a preflight is answered without asking who is calling', async () => {
  const preflight = (origin: string) =>
    app.inject({
      method: 'OPTIONS',
      url: '/api/v1/things',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, x-own',
      },
    });
  const allowed = await preflight('https://app.example');
  expect(allowed.statusCode).toBe(204);
  expect(allowed.headers).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'access-control-allow-methods': expect.stringContaining('POST'),
    'access-control-allow-headers': 'authorization, x-own',
  });
  expect((await preflight('https://evil.example')).statusCode).toBe(403);
});

test('a WebSocket is held to the same rules before it is opened', async () => {
  const outcome = (headers: Record<string, string>) =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/socket`, { headers });
      socket.once('message', (data) => {
        resolve(String(data));
        socket.close();
      });
      socket.once('unexpected-response', (_request, response) => resolve(`refused ${response.statusCode}`));
      socket.once('error', () => resolve('refused'));
    });
  expect(await outcome({})).toBe('welcome');
  expect(await outcome({ origin: `http://127.0.0.1:${port}` })).toBe('welcome');
  expect(await outcome({ origin: 'https://app.example' })).toBe('welcome');
  expect(await outcome({ origin: 'https://evil.example' })).toBe('refused 403');
  expect(await outcome({ host: 'evil.example' })).toBe('refused 403');
});
