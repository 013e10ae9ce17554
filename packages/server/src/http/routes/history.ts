import { HistoryPage, ThreadId } from '@kith/protocol';
import { z } from 'zod';
import type { Database } from '../../db/index.ts';
import { readHistory, type Sessions } from '../../sessions/index.ts';
import type { Routes } from '../app.ts';

const HistoryQuery = z.strictObject({
  threadId: ThreadId,
  before: z.coerce.number().int().positive().optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** What was said, as the user's page shows it: the newest page first, ascending inside. */
export function historyRoutes(services: { database: Pick<Database, 'sql'>; sessions: Sessions }): Routes {
  return async (app) => {
    app.get(
      '/api/v1/agent/history',
      {
        schema: {
          tags: ['sessions'],
          summary: 'Messages of a session; `next_before` leads to older ones',
          querystring: HistoryQuery,
          response: { 200: HistoryPage },
        },
      },
      async ({ caller, query }) => {
        const session = await services.sessions.find(caller.userId, query.threadId);
        return readHistory(services.database.sql, session, query);
      },
    );
  };
}
