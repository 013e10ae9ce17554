import { ThreadId } from '@kith/protocol';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errors } from '../../errors/index.ts';
import { frameOf, hasEnded, isWhole, locateRun, type RunPlace } from '../../events/index.ts';
import type { Routes } from '../app.ts';
import { type FollowTools, followRun } from '../streaming/follow-run.ts';
import type { EventStream, EventStreams } from '../streaming/sse.ts';

export interface RunEventServices extends FollowTools {
  eventStreams: EventStreams;
}

const EventsQuery = z.object({
  runId: z.string().min(1).max(200),
  lastEventId: z.string().optional(),
});

/** The stream of one run: its events, from any of their ids, to the run's own end. */
export function runEventRoutes(services: RunEventServices): Routes {
  const { sql } = services.database;
  return async (app) => {
    app.get(
      '/api/v1/agent/runs/:thread_id/events',
      {
        schema: {
          tags: ['runs'],
          summary: 'The events of a run, resumable with `Last-Event-ID`',
          params: z.strictObject({ thread_id: ThreadId }),
          querystring: EventsQuery,
        },
        config: { tokenInQuery: true },
        exposeHeadRoute: false,
      },
      async (request, reply) => {
        const { runId } = request.query;
        const after = lastSeenBy(request);
        const userId = request.caller.userId;
        const place = await locateRun(sql, { userId, threadId: request.params.thread_id, runId });
        await requireContinuable(services, place, after);
        const stream = services.eventStreams.open(reply);
        try {
          if (!hasEnded(place) || after < place.lastSeq) await sendRun(services, stream, { place, runId, after });
          stream.end();
        } catch (error) {
          request.log.error({ err: error }, 'a stream failed');
          stream.drop();
        }
      },
    );
  };
}

async function sendRun(
  services: RunEventServices,
  stream: EventStream,
  { place, runId, after }: { place: RunPlace; runId: string; after: number },
): Promise<void> {
  const { sessionId } = place;
  const query = { sessionId, runId, after, signal: stream.signal, onLag: () => stream.drop() };
  for await (const events of followRun(services, query)) await stream.sendAll(events.values().map(frameOf));
}

/** A browser repeats the header, and not the query, when it reconnects: the header is the later word. */
function lastSeenBy({
  headers,
  query,
}: Pick<FastifyRequest<{ Querystring: z.infer<typeof EventsQuery> }>, 'headers' | 'query'>): number {
  const header = headers['last-event-id'];
  const given = typeof header === 'string' && header !== '' ? header : query.lastEventId;
  if (given === undefined || given === '') return 0;
  const seq = /^(\d{1,15})(-0)?$/.exec(given)?.[1];
  if (seq === undefined) throw malformed('expected an id of this stream, like 12-0');
  return Number(seq);
}

const malformed = (message: string) => errors.REQUEST_INVALID({ fields: [{ field: 'lastEventId', message }] });

/** A stream that cannot go on without a gap is refused: the reader would not know what it misses. */
async function requireContinuable({ database }: RunEventServices, place: RunPlace, after: number): Promise<void> {
  if (after > place.head) throw malformed('is beyond the last event of this thread');
  if (after === 0 || !hasEnded(place) || after >= place.lastSeq) return;
  if (await isWhole(database.sql, place.sessionId, after, place.lastSeq)) return;
  throw errors.EVENTS_EXPIRED({ detail: 'the answer is in the history; from its start, the run can still be read' });
}
