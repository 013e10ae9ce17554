import { RunAgentInput } from '@kith/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isKithError, type KithError } from '../../errors/index.ts';
import { locateRun } from '../../events/index.ts';
import type { Runs } from '../../runs/index.ts';
import type { Routes } from '../app.ts';
import { type AgUiTelling, say, tellFromTheMiddle, tellRun } from '../streaming/ag-ui-stream.ts';
import type { FollowTools } from '../streaming/follow-run.ts';
import type { EventStream, EventStreams } from '../streaming/sse.ts';

export interface AgUiServices extends FollowTools {
  runs: Runs;
  eventStreams: EventStreams;
}

/** AG-UI's own way: the request starts a run, the answer is its stream. */
export function agUiRoutes(services: AgUiServices): Routes {
  return async (app) => {
    app.post(
      '/api/v1/agent/agui',
      { schema: { tags: ['runs'], summary: 'Run and stream, for AG-UI clients', body: RunAgentInput } },
      (request, reply) => answerRun(services, request, reply, request.body, { snapshots: holdsStandIn(request.body) }),
    );
  };
}

/** Whether the client has put something in the place of a result that it waits for. */
const holdsStandIn = ({ resume, messages }: RunAgentInput): boolean =>
  messages.some(
    (message) => message.role === 'tool' && resume?.some((answer) => answer.interruptId === message.toolCallId),
  );

export async function answerRun(
  services: AgUiServices,
  { caller, log }: Pick<FastifyRequest, 'caller' | 'log'>,
  reply: FastifyReply,
  input: RunAgentInput,
  { snapshots }: Pick<AgUiTelling, 'snapshots'>,
): Promise<void> {
  const { threadId } = input;
  const reader = { protocolVersion: input.protocolVersion };
  const resumes = (input.resume ?? []).length > 0;
  const submitted = await services.runs.submit({ userId: caller.userId, input }).catch((error) => {
    // An answer to an interrupt that cannot be taken is the run's failure, not the request's.
    if (resumes && isKithError(error) && error.status < 500) return error;
    throw error;
  });
  const stream = services.eventStreams.open(reply);
  await telling(stream, log, async () => {
    if (isKithError(submitted)) return refuse(stream, { threadId, runId: input.runId, reader }, submitted);
    const { sessionId, runId, after, repeated } = submitted;
    const run: AgUiTelling = { threadId, runId, sessionId, reader, resumes, snapshots };
    if (!repeated) return tellRun(services, stream, run, { after, skipStart: false });
    const locate = () => locateRun(services.database.sql, { userId: caller.userId, threadId, runId });
    return tellFromTheMiddle(services, stream, run, locate);
  });
}

/** The headers are out: from here on a failure can only cut the stream, and the client has to ask again. */
export async function telling(
  stream: EventStream,
  log: FastifyRequest['log'],
  tell: () => Promise<void>,
): Promise<void> {
  try {
    await tell();
    stream.end();
  } catch (error) {
    log.error({ err: error }, 'a stream failed');
    stream.drop();
  }
}

async function refuse(stream: EventStream, run: Pick<AgUiTelling, 'threadId' | 'runId' | 'reader'>, error: KithError) {
  const { threadId, runId } = run;
  await say(stream, run, { type: 'RUN_STARTED', threadId, runId });
  await say(stream, run, { type: 'RUN_ERROR', threadId, runId, message: error.message, code: error.code });
}
