import { expect, test } from 'vitest';
import { z } from 'zod';
import { testApp } from '../../../test/app.ts';
import { tables } from '../../db/index.ts';
import { errors } from '../../errors/index.ts';
import type { Routes } from '../app.ts';

const Note = z.strictObject({
  title: z.string().min(1),
  tags: z.array(z.string()).default([]),
  owner: z.union([z.strictObject({ name: z.string() }), z.strictObject({ id: z.int() })]).optional(),
});

const routes: Routes = async (app) => {
  app.post('/api/v1/notes', { schema: { body: Note, response: { 200: Note } } }, async (request) => request.body);
  app.get(
    '/api/v1/notes/:id',
    {
      schema: {
        params: z.object({ id: z.coerce.number() }),
        querystring: z.strictObject({ page: z.coerce.number().optional() }),
      },
    },
    async () => ({}),
  );
  app.get('/api/v1/broken', async () => {
    throw new Error('select secret_column from the_inside');
  });
  app.get('/api/v1/refused', async () => {
    throw errors.THREAD_BUSY({ threadId: 'plans', detail: 'run r-1 is under way' });
  });
  app.get('/api/v1/lying', { schema: { response: { 200: Note } } }, async () => JSON.parse('{"title": 7}'));
  app.get('/api/v1/talkative', { schema: { response: { 200: z.object({ title: z.string() }) } } }, async () => {
    const row = { title: 'shown', secret: 'kept' };
    return row;
  });
};
const { app, logged, database } = await testApp({ routes: [routes], config: { server: { bodyLimit: 1000 } } });

const post = (payload: unknown, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/v1/notes',
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    headers: { 'content-type': 'application/json', ...headers },
  });

test('every error is problem+json: its code, its status, its path without the query, its request', async () => {
  const answer = await app.inject({ url: '/api/v1/refused?access_token=x', headers: { 'x-request-id': 'req-7' } });
  expect(answer.statusCode).toBe(409);
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(answer.json()).toEqual({
    type: 'urn:kith:error:thread-busy',
    title: 'A run is under way on this thread',
    status: 409,
    code: 'THREAD_BUSY',
    detail: 'run r-1 is under way',
    instance: '/api/v1/refused',
    request_id: 'req-7',
  });
});

test('a body that does not fit is refused with every field at fault', async () => {
  const answer = await post({ title: '', tags: ['a', 7], colour: 'red', owner: { id: 'x' } });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'REQUEST_INVALID' });
  expect(
    answer
      .json()
      .errors.map((entry: { field: string }) => entry.field)
      .sort(),
  ).toEqual(['colour', 'owner.id', 'tags.1', 'title']);
});

test.each([
  ['/api/v1/notes/seven', 'id'],
  ['/api/v1/notes/7?page=x', 'page'],
  ['/api/v1/notes/7?size=1', 'size'],
])('%s is refused for its %s', async (url, field) => {
  const answer = await app.inject(url);
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'REQUEST_INVALID', errors: [{ field }] });
});

test.each<[name: string, payload: string, headers: Record<string, string>, status: number, code: string]>([
  ['no JSON', '{"title":', {}, 400, 'REQUEST_INVALID'],
  ['nothing', '', {}, 400, 'REQUEST_INVALID'],
  ['a key that would poison objects', '{"title": "a", "__proto__": {"admin": true}}', {}, 400, 'REQUEST_INVALID'],
  ['too much', JSON.stringify({ title: 'x'.repeat(1000) }), {}, 413, 'BODY_TOO_LARGE'],
  [
    'plain text, as any web page can post it',
    '{"title": "a"}',
    { 'content-type': 'text/plain' },
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['a form', 'title=a', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
])('a body of %s is refused', async (_name, payload, headers, status, code) => {
  const answer = await post(payload, headers);
  expect(answer.statusCode).toBe(status);
  expect(answer.json()).toMatchObject({ code, status });
});

test('a path that is not there is a JSON 404 under /api, whatever the browser would like to see', async () => {
  const answer = await app.inject({ url: '/api/v1/nothing', headers: { accept: 'text/html' } });
  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ code: 'NOT_FOUND', instance: '/api/v1/nothing' });
});

test('a path that has other methods says which', async () => {
  const answer = await app.inject({ method: 'DELETE', url: '/api/v1/notes/7' });
  expect(answer.statusCode).toBe(405);
  expect(answer.headers.allow).toBe('GET, HEAD');
  expect(answer.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
});

test('an address that cannot be read is refused in the same form', async () => {
  const answer = await app.inject('/api/v1/%zz');
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: 'REQUEST_INVALID' });
});

test('what goes wrong inside is logged with its cause, and none of it is told', async () => {
  const answer = await app.inject('/api/v1/broken');
  expect(answer.statusCode).toBe(500);
  expect(answer.json()).toMatchObject({ code: 'INTERNAL', title: 'Something went wrong on our side' });
  expect(answer.body).not.toContain('secret_column');
  expect(
    logged.some((line) => line.includes('secret_column') && line.includes(String(answer.headers['x-request-id']))),
  ).toBe(true);
});

test('an answer that breaks its own contract is our fault, and one with too much in it is cut to its contract', async () => {
  expect((await app.inject('/api/v1/lying')).json()).toMatchObject({ code: 'INTERNAL' });
  expect((await app.inject('/api/v1/talkative')).json()).toEqual({ title: 'shown' });
});

test.each([
  [
    'U+0000 in text',
    () => database.sql`insert into profiles (user_id, username, display_name) values ('a', ${'a\u0000b'}, 'a')`,
  ],
  [
    'U+0000 in JSON',
    () =>
      database.sql`insert into profiles (user_id, username, display_name, custom_fields) values ('a', 'a', 'a', ${database.sql.json({ a: '\u0000' })})`,
  ],
  [
    'half a surrogate pair in JSON',
    () =>
      database.sql`insert into profiles (user_id, username, display_name, custom_fields) values ('a', 'a', 'a', ${database.sql.json({ a: '\ud800' })})`,
  ],
])('a text that the database cannot store is the request’s fault: %s', async (_name, write) => {
  const { app: writing } = await testApp({
    routes: [async (api) => void api.get('/api/v1/write', async () => write())],
  });
  const answer = await writing.inject('/api/v1/write');
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({
    code: 'REQUEST_INVALID',
    detail: 'a text holds a character that cannot be stored',
  });
});

test('what people say of themselves does not get into the log when the database refuses it', async () => {
  const write = (username: string, version: unknown) =>
    database.orm
      .insert(tables.profiles)
      .values({ userId: 'a', username, displayName: 'a', bio: 'I sleepwalk', settings: version });
  const writing = await testApp({
    routes: [
      async (api) => {
        api.get('/api/v1/unstorable', async () => write('a\u0000b', {}));
        api.get('/api/v1/forbidden', async () => write('a', []));
      },
    ],
  });
  expect((await writing.app.inject('/api/v1/unstorable')).statusCode).toBe(400);
  expect((await writing.app.inject('/api/v1/forbidden')).statusCode).toBe(500);
  expect(writing.logged.join('')).toContain('profiles_settings_object');
  expect(writing.logged.join('')).not.toContain('sleepwalk');
});

test('a request id that can stand in a log is kept, any other is replaced', async () => {
  expect((await app.inject({ url: '/healthz', headers: { 'x-request-id': 'order-42' } })).headers['x-request-id']).toBe(
    'order-42',
  );
  for (const bad of ['a b', 'x'.repeat(129), 'a"}{']) {
    const answer = await app.inject({ url: '/healthz', headers: { 'x-request-id': bad } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  }
});
