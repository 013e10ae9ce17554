import { createServer, request } from 'node:http';
import { SignJWT } from 'jose';
import { afterAll, expect, test } from 'vitest';
import { answers, openBrowser, say } from './browser.ts';
import { consoleServer } from './server.ts';

const visit = openBrowser();

test('the console works under a sub-path of somebody’s proxy, after a reload too', async () => {
  const server = await consoleServer();
  const proxy = createServer((incoming, outgoing) => {
    const path = incoming.url ?? '/';
    if (!path.startsWith('/tools/kith/')) {
      outgoing.writeHead(404).end();
      return;
    }
    const headers = { ...incoming.headers, 'x-forwarded-prefix': '/tools/kith' };
    const target = new URL(path.slice('/tools/kith'.length), server.url);
    const forwarded = request(target, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  afterAll(() => proxy.close());
  const address = proxy.address();
  if (!address || typeof address === 'string') throw new Error('no port');
  const { page } = await visit(`http://127.0.0.1:${address.port}/tools/kith/`);
  await say(page, '你好');
  await answers(page).first().waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/tools\/kith\/chat\//);
  await page.reload();
  await answers(page).first().waitFor();
});

test('where tokens are needed, the console asks for one, refuses a bad one, and works with a good one', async () => {
  const secret = 'a-secret-that-is-long-enough-for-hs256';
  const server = await consoleServer({ auth: { mode: 'jwt', jwt: { secret } } });
  const { page } = await visit(server.url, { userId: '', language: 'en' });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Access token').fill('not-a-token');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The token is not valid, or has expired.').waitFor();
  const token = await new SignJWT({ sub: 'wangwu' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('5m')
    .sign(new TextEncoder().encode(secret));
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: /wangwu/ }).waitFor();
  await say(page, 'hello');
  await answers(page).first().waitFor();
});
