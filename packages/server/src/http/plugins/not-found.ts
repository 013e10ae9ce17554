import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../../errors/index.ts';
import type { App } from '../app.ts';
import { pathOf } from '../path.ts';
import { sendProblem } from './errors.ts';

declare module 'fastify' {
  interface FastifyInstance {
    methodsAt: (path: string) => string[];
  }
}

/** Remembers which methods each path has, to tell a wrong method from a wrong path. Before any route is added. */
export function methodTable(app: App): void {
  const table = new Map<string, { pattern: URLPattern; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return;
    const entry = table.get(url) ?? { pattern: new URLPattern({ pathname: url }), methods: new Set() };
    for (const name of [method].flat()) entry.methods.add(name);
    table.set(url, entry);
  });
  app.decorate('methodsAt', (path: string) =>
    table
      .values()
      .filter(({ pattern }) => pattern.test({ pathname: path }))
      .flatMap(({ methods }) => methods)
      .toArray()
      .sort(),
  );
}

export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const path = pathOf(request.url);
  const allow = request.server.methodsAt(path);
  sendProblem(allow.length > 0 ? errors.METHOD_NOT_ALLOWED({ allow }) : errors.NOT_FOUND(), request, reply);
  return reply;
}
