import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/index.ts';
import { errors } from '../../errors/index.ts';
import type { App } from '../app.ts';

type Count = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

export interface RateLimits {
  /** One more request of this caller. */
  countCaller: Count;
  /** One more request from this address that did not say who it is: guessing tokens is limited too. */
  countStranger: Count;
}

export async function rateLimits(app: App, limits: Config['server']['rateLimit']): Promise<RateLimits> {
  await app.register(rateLimit, { global: false });
  const limiter = (keyGenerator: (request: FastifyRequest) => string): Count => {
    const count = app.createRateLimit({ max: limits.max, timeWindow: limits.windowSeconds * 1000, keyGenerator });
    return async (request, reply) => {
      const state = await count(request);
      if (state.isAllowed) return;
      reply
        .header('x-ratelimit-limit', state.max)
        .header('x-ratelimit-remaining', state.remaining)
        .header('x-ratelimit-reset', state.ttlInSeconds);
      if (state.isExceeded) throw errors.RATE_LIMITED({ retryAfterSeconds: state.ttlInSeconds });
    };
  };
  return {
    countCaller: limiter(({ caller }) => `${caller.service ?? ''}/${caller.userId}`),
    countStranger: limiter(({ ip }) => ip),
  };
}
