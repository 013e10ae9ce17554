import { randomUUID } from 'node:crypto';
import { ChatRequest, ChatResponse, type KithEvent, WireUsage } from '@kith/protocol';
import type { FastifyReply } from 'fastify';
import { errors } from '../../errors/index.ts';
import type { Runs } from '../../runs/index.ts';
import type { Users } from '../../users/index.ts';
import type { App, Routes } from '../app.ts';
import { type FollowTools, followRun } from '../streaming/follow-run.ts';

export interface ChatServices extends FollowTools {
  runs: Runs;
  users: Users;
}

/** The simplest way: a message in, the whole answer out. */
export function chatRoutes(services: ChatServices): Routes {
  return async (app) => {
    app.post(
      '/api/v1/chat',
      {
        schema: {
          tags: ['runs'],
          summary: 'Ask, and wait for the answer',
          body: ChatRequest,
          response: { 200: ChatResponse },
        },
      },
      async ({ caller, body }, reply) => {
        const { session_id: threadId, message, user_context, file_ids } = body;
        const userContext = user_context
          ? await services.users.contextFromRequest(caller.userId, user_context)
          : undefined;
        const input = {
          threadId,
          runId: randomUUID(),
          messages: [{ id: randomUUID(), role: 'user' as const, content: message }],
          ...(file_ids ? { forwardedProps: { file_ids } } : {}),
        };
        const { sessionId, runId, after } = await services.runs.submit({ userId: caller.userId, input, userContext });
        const signal = untilGone(app, reply);
        const events: KithEvent[] = [];
        for await (const batch of followRun(services, { sessionId, runId, after, signal })) {
          events.push(...batch.map(({ event }) => event));
        }
        return answerOf({ session_id: threadId, run_id: runId }, events);
      },
    );
  };
}

/** Fires when nobody waits for the answer any more, or the server has no time to. */
function untilGone(app: App, reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort();
  app.draining.addEventListener('abort', leave);
  reply.raw.on('close', () => {
    app.draining.removeEventListener('abort', leave);
    leave();
  });
  if (reply.raw.destroyed) leave();
  return gone.signal;
}

function answerOf(names: Pick<ChatResponse, 'session_id' | 'run_id'>, events: readonly KithEvent[]): ChatResponse {
  const text = events.findLast((event) => event.type === 'TEXT_MESSAGE_END');
  const end = events.findLast((event) => event.type === 'RUN_FINISHED' || event.type === 'RUN_ERROR');
  if (!end)
    throw errors.NOT_READY({
      detail: 'the server is stopping; the run goes on, and its answer will be in the history',
    });
  const said = {
    ...names,
    answer: text?.answer ?? '',
    suggested_actions: text?.suggested_actions ?? [],
    ...(text ? { usage: WireUsage.parse(text) } : {}),
  };
  if (end.type === 'RUN_ERROR') {
    const { code = 'INTERNAL', message, error_id } = end;
    const status = code === 'RUN_CANCELED' ? 'canceled' : 'failed';
    return { ...said, status, error: { code, message, ...(error_id ? { error_id } : {}) } };
  }
  if (end.outcome?.type !== 'interrupt') return { ...said, status: 'completed' };
  const pending = end.outcome.interrupts[0]?.toolCallId;
  return { ...said, status: 'awaiting_approval', ...(pending ? { pending_tool_call_id: pending } : {}) };
}
