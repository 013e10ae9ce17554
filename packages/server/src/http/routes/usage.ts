import { UsageQuery, UsageReport } from '@kith/protocol';
import { errors } from '../../errors/index.ts';
import type { Infra } from '../../models/index.ts';
import type { Routes } from '../app.ts';

/** What was used and what it cost: all of it for administrators, their own for everyone else. */
export function usageRoutes({ models: { infra } }: { models: { infra: Infra } }): Routes {
  return async (app) => {
    app.get(
      '/api/v1/usage',
      {
        schema: {
          tags: ['usage'],
          summary: 'Tokens and cost by day, user, session, model, vendor or key',
          querystring: UsageQuery,
          response: { 200: UsageReport },
        },
      },
      async ({ query, caller }) => {
        if (caller.role === 'admin') return infra.usage(query, query.user_id);
        if (query.user_id !== undefined && query.user_id !== caller.userId) throw errors.NOT_YOUR_DATA();
        return infra.usage(query, caller.userId);
      },
    );
  };
}
