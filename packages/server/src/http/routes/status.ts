import { readFileSync } from 'node:fs';
import { ServerStatus } from '@kith/protocol';
import { z } from 'zod';
import type { Config } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import type { CreatedModels } from '../../models/index.ts';
import type { Routes } from '../app.ts';

export interface StatusServices {
  config: Pick<Config, 'auth'>;
  database: Pick<Database, 'kind'>;
  models: Pick<CreatedModels, 'simulated' | 'modelFor'>;
}

const about = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));

/** What a client should know before it asks anything else: above all, whether a real model answers. */
export function statusRoutes({ config, database, models }: StatusServices): Routes {
  return async (app) => {
    app.get(
      '/api/v1/status',
      { schema: { tags: ['status'], summary: 'Version, and who answers here', response: { 200: ServerStatus } } },
      async ({ caller }) => {
        const model = caller.role === 'admin' ? models.modelFor('TASK_EXECUTION') : undefined;
        return {
          version: about.version,
          auth: config.auth.mode,
          simulator: models.simulated(),
          database: database.kind,
          ...(model === undefined ? {} : { model }),
        };
      },
    );
  };
}
