import { CalendarEventList } from '@kith/protocol';
import { z } from 'zod';
import type { Database } from '../../db/index.ts';
import { calendarBetween } from '../../skills/index.ts';
import { settingsOf, type Users } from '../../users/index.ts';
import type { Routes } from '../app.ts';

const Range = z.strictObject({ from: z.string().max(40), to: z.string().max(40) });

/** The caller's calendar, to be shown. Changes go through the skill, where they are asked for, recorded and undone as one. */
export function calendarRoutes({ database, users }: { database: Pick<Database, 'sql'>; users: Users }): Routes {
  return async (app) => {
    app.get(
      '/api/v1/calendar/events',
      {
        schema: {
          tags: ['calendar'],
          summary: 'Events between two dates or times, in the caller’s time zone',
          querystring: Range,
          response: { 200: CalendarEventList },
        },
      },
      async ({ caller, query }) => {
        const { timezone } = settingsOf(await users.contextOf(caller.userId)).preferences;
        return database.sql.begin('read only', (sql) => calendarBetween(sql, caller.userId, timezone, query));
      },
    );
  };
}
