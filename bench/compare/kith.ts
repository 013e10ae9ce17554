import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TERMINAL_EVENTS } from '@kith/protocol';
import { Config, type Role } from '../../packages/server/src/config/index.ts';
import { type Kith, startKith } from '../../packages/server/src/main.ts';
import { createLog } from '../../packages/server/src/observability/index.ts';
import type { Submitted } from '../../packages/server/src/runs/index.ts';
import type { OpenSetUp, Place } from './set-ups.ts';

/** Kith whole: profile, memory, checkpoints, event log and ledger; the reader of a run hears every event of it. */
export const open = (place: Place): Promise<OpenSetUp> => openKith(place, ['worker']);

export async function openKith({ databaseUrl, modelUrl }: Place, roles: Role[]): Promise<OpenSetUp> {
  const home = mkdtempSync(join(tmpdir(), 'kith-bench-'));
  const config = Config.parse({
    home,
    roles,
    server: { port: 0, rateLimit: { max: 1_000_000 } },
    // Learning would ask the model once more than the others do.
    memory: { learning: false, embeddings: 'none' },
  });
  const kith = await startKith(config, {
    log: createLog('silent'),
    database: { kind: 'server', url: databaseUrl, poolSize: config.database.poolSize },
    environment: {
      KITH_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      DEEPSEEK_API_KEY: 'sk-bench',
      DEEPSEEK_BASE_URL: modelUrl,
    },
  });
  return {
    run: async (threadId, prompt) => {
      const input = {
        threadId,
        runId: randomUUID(),
        messages: [{ id: randomUUID(), role: 'user' as const, content: prompt }],
      };
      await end(kith, await kith.rooms.runs.submit({ userId: `user-of-${threadId}`, input }));
    },
    toolRuns: async () => {
      const [row] = await kith.database.sql<{ count: number }[]>`
        select count(*)::int as count from tool_calls where status = 'succeeded'`;
      return row?.count ?? 0;
    },
    close: async () => {
      await kith.close();
      rmSync(home, { recursive: true, force: true });
    },
    ...(kith.url ? { url: kith.url } : {}),
  };
}

async function end({ rooms }: Kith, { sessionId, runId, after }: Submitted): Promise<void> {
  const leaving = new AbortController();
  for await (const events of rooms.streams.open({ sessionId, runId, after, signal: leaving.signal })) {
    const last = events.find(({ event }) => TERMINAL_EVENTS.has(event.type))?.event;
    if (last?.type === 'RUN_ERROR') throw new Error(`the run failed: ${last.message}`);
    if (last) return;
  }
}
