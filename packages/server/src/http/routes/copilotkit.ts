import { RunAgentInput, ThreadId } from '@kith/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errors, fieldErrorsOf, isKithError } from '../../errors/index.ts';
import { locateRun } from '../../events/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { Routes } from '../app.ts';
import { say, tellConversation, tellFromTheMiddle } from '../streaming/ag-ui-stream.ts';
import { type AgUiServices, answerRun, telling } from './agui.ts';

export interface CopilotKitServices extends AgUiServices {
  sessions: Sessions;
}

const tags = ['copilotkit'];
const base = '/api/v1/copilotkit';
const AgentParams = z.object({ agentId: z.string() });
const StopBody = z.object({ runId: z.string().optional() }).nullish();
const Stopped = z.object({ stopped: z.boolean() });

/** What CopilotKit asks its runtime for, so that a page needs none: `<CopilotKit runtimeUrl="…/api/v1/copilotkit">`. */
export function copilotKitRoutes(services: CopilotKitServices): Routes {
  return async (app) => {
    app.get(`${base}/info`, { schema: { tags, summary: 'Which agents there are' } }, () => info);
    app.post(
      `${base}/agent/:agentId/run`,
      { schema: { tags, summary: 'Run and stream', params: AgentParams, body: RunAgentInput } },
      async (request, reply) => {
        requireAgent(request.params.agentId);
        return answerRun(services, request, reply, request.body, { snapshots: true });
      },
    );
    app.post(
      `${base}/agent/:agentId/connect`,
      {
        schema: { tags, summary: 'The conversation, and the run under way', params: AgentParams, body: RunAgentInput },
      },
      async (request, reply) => {
        requireAgent(request.params.agentId);
        return connect(services, request, reply, request.body);
      },
    );
    app.post(
      `${base}/agent/:agentId/stop/:threadId`,
      {
        schema: {
          tags,
          summary: 'Stop the run under way',
          params: AgentParams.extend({ threadId: ThreadId }),
          body: StopBody,
          response: { 200: Stopped },
        },
      },
      async ({ caller, params, body }) => {
        requireAgent(params.agentId);
        return stop(services, caller.userId, params.threadId, body?.runId);
      },
    );
    app.post(
      base,
      { schema: { tags, summary: 'All of it through one address', body: Envelope } },
      async (request, reply) => handleEnvelope(services, request, reply, request.body),
    );
  };
}

const info = {
  version: '1.75.0',
  mode: 'sse',
  agents: {
    default: {
      name: 'default',
      description: 'An agent that knows its user',
      className: 'HttpAgent',
      capabilities: {
        transport: { streaming: true, resumable: true },
        tools: { supported: true, clientProvided: true, parallelCalls: true },
        reasoning: { supported: true, streaming: true },
        humanInTheLoop: { supported: true, approvals: true, interrupts: true, approveWithEdits: true },
      },
    },
  },
  audioFileTranscriptionEnabled: false,
  a2uiEnabled: true,
};

function requireAgent(agentId: string): void {
  if (agentId !== 'default')
    throw errors.NOT_FOUND({ detail: `there is no agent ${agentId}; the one here is default` });
}

async function stop({ runs }: CopilotKitServices, userId: string, threadId: string, runId: string | undefined) {
  try {
    await runs.cancel(userId, threadId, runId);
    return { stopped: true };
  } catch (error) {
    if (isKithError(error) && ['RUN_NOT_ACTIVE', 'RUN_NOT_FOUND', 'SESSION_NOT_FOUND'].includes(error.code))
      return { stopped: false };
    throw error;
  }
}

type Asking = Pick<FastifyRequest, 'caller' | 'log'>;

/** A page was loaded or comes back: it gets the conversation, and whatever is under way or waits for its user. */
async function connect(
  services: CopilotKitServices,
  { caller, log }: Asking,
  reply: FastifyReply,
  input: RunAgentInput,
) {
  const { threadId } = input;
  const { userId } = caller;
  const reader = { protocolVersion: input.protocolVersion };
  const session = await services.sessions.find(userId, threadId).catch((error) => {
    if (isKithError(error) && error.code === 'SESSION_NOT_FOUND') return undefined;
    throw error;
  });
  const open = session ? await openRun(services, userId, threadId) : undefined;
  const stream = services.eventStreams.open(reply);
  await telling(stream, log, async () => {
    if (!session) {
      // Not begun yet. A snapshot would wipe out what the page shows.
      for (const type of ['RUN_STARTED', 'RUN_FINISHED'] as const) {
        await say(stream, { reader }, { type, threadId, runId: input.runId });
      }
      return;
    }
    const run = {
      threadId,
      runId: open ?? input.runId,
      sessionId: session.id,
      reader,
      resumes: false,
      snapshots: true,
    };
    if (!open) return tellConversation(services, stream, run);
    const locate = () => locateRun(services.database.sql, { userId, threadId, runId: open });
    return tellFromTheMiddle(services, stream, run, locate);
  });
}

/** The run that a page should show: one under way, else the next in the queue, else one that waits for a decision. */
async function openRun({ runs }: CopilotKitServices, userId: string, threadId: string): Promise<string | undefined> {
  for (const status of ['running', 'queued', 'awaiting_approval']) {
    const found = await runs.list(userId, { threadId, status, limit: 100 });
    const oldest = found.at(-1);
    if (oldest) return oldest.runId;
  }
  return undefined;
}

const Envelope = z.discriminatedUnion('method', [
  z.object({ method: z.literal('info') }),
  z.object({ method: z.literal('agent/run'), params: AgentParams, body: z.unknown() }),
  z.object({ method: z.literal('agent/connect'), params: AgentParams, body: z.unknown() }),
  z.object({ method: z.literal('agent/stop'), params: AgentParams.extend({ threadId: ThreadId }), body: StopBody }),
]);

async function handleEnvelope(
  services: CopilotKitServices,
  request: Asking,
  reply: FastifyReply,
  envelope: z.infer<typeof Envelope>,
) {
  if (envelope.method === 'info') return info;
  requireAgent(envelope.params.agentId);
  if (envelope.method === 'agent/stop') {
    return stop(services, request.caller.userId, envelope.params.threadId, envelope.body?.runId);
  }
  const input = readInput(envelope.body);
  if (envelope.method === 'agent/run') return answerRun(services, request, reply, input, { snapshots: true });
  return connect(services, request, reply, input);
}

function readInput(body: unknown): RunAgentInput {
  const { success, data, error } = RunAgentInput.safeParse(body);
  if (!success) throw errors.REQUEST_INVALID({ fields: fieldErrorsOf(error, 'body') });
  return data;
}
