import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../test/app.ts';

const page = { accept: 'text/html,application/xhtml+xml' };

describe('a console that is built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kith-console-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><base href="/"><meta property="csp-nonce" nonce="__KITH_NONCE__">',
  );
  writeFileSync(join(folder, 'assets/app-1a2b.js'), 'start()');
  writeFileSync(join(folder, 'assets/app-1a2b.js.gz'), gzipSync('start()'));
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  const { app } = await testApp({ consoleFolder: folder });

  test.each(['/', '/index.html', '/sessions/42', '/settings?tab=privacy'])('%s is the page', async (url) => {
    const answer = await app.inject({ url, headers: page });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.body).toContain('<base href="/">');
  });

  test('under a path of a proxy the page finds its files there, and a bad path is ignored', async () => {
    const baseFor = async (prefix: string) =>
      /<base href="([^"]*)"/.exec(
        (await app.inject({ url: '/', headers: { ...page, 'x-forwarded-prefix': prefix } })).body,
      )?.[1];
    expect(await baseFor('/tools/kith')).toBe('/tools/kith/');
    expect(await baseFor('/tools/kith/')).toBe('/tools/kith/');
    for (const bad of ['//evil.example', '/a"><script>', 'https://evil.example', '/a//b', '/../x y']) {
      expect(await baseFor(bad), bad).toBe('/');
    }
  });

  test('the page may run our own scripts and nothing else; its nonce is new each time', async () => {
    const [one, two] = [await app.inject({ url: '/', headers: page }), await app.inject({ url: '/', headers: page })];
    const policy = String(one.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("base-uri 'self'");
    const nonce = /nonce="([^"]+)"/.exec(one.body)?.[1];
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(two.body).not.toBe(one.body);
  });

  test('hashed files may be kept for ever and come compressed; others are asked for again', async () => {
    const script = await app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': 'gzip' } });
    expect(script.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-encoding': 'gzip',
      'content-type': expect.stringContaining('javascript'),
    });
    expect(gunzipSync(script.rawPayload).toString()).toBe('start()');
    expect((await app.inject('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test('a file that is not there is a 404 and not the page', async () => {
    expect((await app.inject({ url: '/assets/app-old.js', headers: { accept: '*/*' } })).statusCode).toBe(404);
    expect((await app.inject('/../package.json')).statusCode).toBe(404);
    expect((await app.inject({ method: 'POST', url: '/sessions/42', headers: page })).statusCode).toBe(404);
  });
});

describe('a console that is not built', async () => {
  const { app } = await testApp();

  test('the address says how to build it, in both languages', async () => {
    const answer = await app.inject({ url: '/', headers: page });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('npm run build');
    expect(answer.body).toContain('控制台尚未构建');
  });
});

test('every answer carries the security headers', async () => {
  const { app } = await testApp();
  for (const url of ['/healthz', '/api/v1/nothing', '/']) {
    const { headers } = await app.inject(url);
    expect(headers, url).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    });
  }
});
