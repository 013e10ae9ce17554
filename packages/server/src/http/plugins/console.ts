import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import files from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import { isApi, pathOf } from '../path.ts';
import { answerNotFound } from './not-found.ts';
import { policyText, strictPolicy } from './security-headers.ts';

/** The web page on the API's own port: built files, and the page itself for every address that is not a file. */
export async function consolePages(app: App, folder: string): Promise<void> {
  const sendPage = existsSync(join(folder, 'index.html')) ? await serveBuilt(app, folder) : sendNotBuilt;
  app.get('/', { schema: { hide: true } }, sendPage);
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request) ? sendPage(request, reply) : answerNotFound(request, reply),
  );
}

type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

async function serveBuilt(app: App, folder: string): Promise<SendPage> {
  const sendPage: SendPage = async (request, reply) => {
    // Read each time: a new build names other files.
    const template = await readFile(join(folder, 'index.html'), 'utf8');
    const nonce = randomBytes(16).toString('base64url');
    return sendHtml(reply, filledIn(template, request, nonce), {
      ...strictPolicy,
      // For the one library that writes a style element of its own (the scroll lock of dialogs).
      'style-src': ["'self'", `'nonce-${nonce}'`],
    });
  };
  app.get('/index.html', { schema: { hide: true } }, sendPage);
  await app.register(files, {
    root: folder,
    index: false,
    dotfiles: 'ignore',
    preCompressed: true,
    decorateReply: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/');
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  return sendPage;
}

/** Addresses in the page are relative to its base, so that it also works under a path of somebody's proxy. */
function filledIn(template: string, request: FastifyRequest, nonce: string): string {
  return template
    .replace(/<base href="[^"]*"/, `<base href="${baseOf(request.headers['x-forwarded-prefix'])}"`)
    .replaceAll('__KITH_NONCE__', nonce);
}

/** Only plain path segments: `//elsewhere` would send the page's requests to another host. */
export function baseOf(prefix: string | string[] | undefined): string {
  return typeof prefix === 'string' && /^(\/[\w.~-]+)+\/?$/.test(prefix) ? prefix.replace(/\/?$/, '/') : '/';
}

function wantsPage(request: FastifyRequest): boolean {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  return reads && !isApi(pathOf(request.url)) && (request.headers.accept ?? '').includes('text/html');
}

const sendNotBuilt: SendPage = (_request, reply) => sendHtml(reply, notBuilt, strictPolicy);

function sendHtml(reply: FastifyReply, html: string, policy: typeof strictPolicy): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policyText(policy))
    .header('cache-control', 'no-cache')
    .header('vary', 'x-forwarded-prefix')
    .send(html);
}

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Kith</title></head>
<body>
<h1>Kith</h1>
<p>The server is running. Its console is not built yet: <code>npm run build</code>, then start again. The API is described at <a href="docs">docs</a>.</p>
<p lang="zh-CN">服务已启动,控制台尚未构建:运行 <code>npm run build</code> 后重新启动。接口说明见 <a href="docs">docs</a>。</p>
</body>
</html>
`;
