import { createConnection, type Socket } from 'node:net';
import type { Database } from '../src/db/index.ts';
import type { TestUser } from './kith.ts';

/** A reader in dev auth, as alice, that asks for a stream and then reads nothing of it. */
export function stalledReader(url: string, path: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-User-Id: alice\r\n\r\n`);
  socket.pause();
  return socket;
}

/** How many event streams the server has open. */
export async function openStreams(user: TestUser): Promise<number> {
  const metrics = await (await user.fetch('/metrics')).text();
  return Number(/^kith_stream_readers (\d+)$/m.exec(metrics)?.[1]);
}

/** Makes the log of one of alice's runs grow without a model: many events, each of some size. */
export async function growLog(
  { sql }: Pick<Database, 'sql'>,
  run: { threadId: string; runId: string },
  count: number,
  size: number,
): Promise<void> {
  await sql`
    with grown as (
      update sessions set event_head = event_head + ${count} where user_id = 'alice' and thread_id = ${run.threadId}
      returning id, event_head - ${count} as base
    )
    insert into run_events (session_id, seq, run_id, attempt, type, payload)
    select id, base + place, ${run.runId}, 1, 'REASONING_MESSAGE_CONTENT', jsonb_build_object(
      'type', 'REASONING_MESSAGE_CONTENT', 'threadId', ${run.threadId}::text, 'runId', ${run.runId}::text,
      'messageId', 'm', 'delta', repeat('x', ${size}))
    from grown, generate_series(1, ${count}) as place`;
}
