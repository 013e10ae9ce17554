import type { Database } from '../db/index.ts';
import { dropOldDeltas } from '../events/index.ts';
import type { Log } from '../observability/index.ts';
import { expireApprovals } from './decisions.ts';
import type { RunQueue } from './queue/queue.ts';

/** Wakes threads whose wake-up was lost or whose worker died, and lets approvals expire. The first round is at start. */
export function createSweeper(tools: {
  database: Pick<Database, 'sql'>;
  queue: RunQueue;
  log: Log;
  everyMs: number;
  deltaRetentionSeconds: number;
}) {
  const { sql } = tools.database;
  let timer: NodeJS.Timeout | undefined;
  let lastCleaning = 0;

  const sweep = async () => {
    const resumed = await expireApprovals(sql);
    const rows = await sql<{ session_id: string }[]>`
      select distinct session_id from runs
      where status = 'queued' or (status = 'running' and lease_until < now()) limit 1000`;
    for (const sessionId of new Set([...resumed, ...rows.map((row) => row.session_id)]))
      await tools.queue.wake(sessionId);
    if (Date.now() - lastCleaning < 3_600_000) return;
    lastCleaning = Date.now();
    await dropOldDeltas(sql, tools.deltaRetentionSeconds);
  };

  const round = async () => {
    await sweep().catch((error) => tools.log.warn({ err: error }, 'sweeping failed; it is tried again'));
    if (timer) timer = setTimeout(round, tools.everyMs);
  };

  return {
    sweep,
    async start() {
      timer = setTimeout(() => {}, 0);
      await round();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
