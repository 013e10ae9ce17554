import { type KithEvent, type LoggedEvent, TERMINAL_EVENTS } from '@kith/protocol';
import type { Database } from '../../db/index.ts';
import { type StreamQuery, type Streams, wentOn } from '../../events/index.ts';

export interface FollowTools {
  database: Pick<Database, 'sql'>;
  streams: Streams;
}

export type RunQuery = StreamQuery & { runId: string };

/** The events of one run, to its own end. */
export async function* followRun(tools: FollowTools, query: RunQuery): AsyncGenerator<LoggedEvent[], void, void> {
  for await (const events of tools.streams.open(query)) {
    const end = await endOf(tools, query, events);
    yield end === -1 ? events : events.slice(0, end + 1);
    if (end !== -1) return;
  }
}

/** An interrupt that was answered is not the end: the run started again, under the same id. */
async function endOf({ database }: FollowTools, query: RunQuery, events: readonly LoggedEvent[]): Promise<number> {
  for (const [index, { seq, event }] of events.entries()) {
    if (!TERMINAL_EVENTS.has(event.type)) continue;
    const answered =
      isInterrupt(event) &&
      (index < events.length - 1 || (await wentOn(database.sql, query.sessionId, query.runId, seq)));
    if (!answered) return index;
  }
  return -1;
}

export const isInterrupt = (event: KithEvent): boolean =>
  event.type === 'RUN_FINISHED' && event.outcome?.type === 'interrupt';
