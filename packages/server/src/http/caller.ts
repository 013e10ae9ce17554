import type { FastifyRequest } from 'fastify';
import { errors } from '../errors/index.ts';
import type { Caller } from '../identity/index.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who is calling. There on every route under /api. */
    caller: Caller;
  }
}

/** The user that a path is about: `me` is the caller, anyone else's data is for administrators. */
export function subjectOf({ caller }: Pick<FastifyRequest, 'caller'>, userIdParam: string): string {
  if (userIdParam === 'me' || userIdParam === caller.userId) return caller.userId;
  if (caller.role !== 'admin') throw errors.NOT_YOUR_DATA();
  return userIdParam;
}

export function requireAdmin({ caller }: Pick<FastifyRequest, 'caller'>): void {
  if (caller.role !== 'admin') throw errors.FORBIDDEN({ detail: 'this is for administrators' });
}
