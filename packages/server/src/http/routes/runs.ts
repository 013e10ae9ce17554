import { Decision, RunAccepted, RunAgentInput, RunDetail, RunStatus, RunSummary, ThreadId } from '@kith/protocol';
import { z } from 'zod';
import type { Runs } from '../../runs/index.ts';
import type { App, Routes } from '../app.ts';

const tags = ['runs'];
const base = '/api/v1/agent/runs';
const params = z.strictObject({ thread_id: ThreadId });
const RunId = z.string().min(1).max(200);
const RunQuery = z.strictObject({ runId: RunId });
const RunListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** Runs made before this instant: the last one's `created_at`. */
  before: z.iso.datetime({ offset: true }).optional(),
  status: RunStatus.optional(),
  threadId: ThreadId.optional(),
});
const RunPage = z.object({ runs: z.array(RunSummary), next_before: z.string().nullable() });

/** Asking for an answer, and what can be done with a run. */
export function runRoutes({ runs }: { runs: Runs }): Routes {
  return async (app) => {
    collection(app, runs);
    resource(app, runs);
  };
}

function collection(app: App, runs: Runs): void {
  app.post(
    base,
    { schema: { tags, summary: 'Start a run', body: RunAgentInput, response: { 202: RunAccepted } } },
    async ({ caller, body }, reply) => {
      const { threadId, runId, status } = await runs.submit({ userId: caller.userId, input: body });
      return reply.status(202).send({ threadId, runId, status });
    },
  );
  app.get(
    base,
    { schema: { tags, summary: 'Runs, the latest first', querystring: RunListQuery, response: { 200: RunPage } } },
    async ({ caller, query }) => {
      const found = await runs.list(caller.userId, query);
      const last = found.at(-1);
      return { runs: found, next_before: found.length === query.limit && last ? last.created_at : null };
    },
  );
}

function resource(app: App, runs: Runs): void {
  app.get(
    `${base}/:thread_id`,
    {
      schema: {
        tags,
        summary: 'A run: actions, todos, calls, timing, usage',
        params,
        querystring: RunQuery,
        response: { 200: RunDetail },
      },
    },
    ({ caller, params, query }) => runs.detail(caller.userId, params.thread_id, query.runId),
  );
  app.post(
    `${base}/:thread_id/cancel`,
    {
      schema: {
        tags,
        summary: 'Cancel a run, or everything that is under way on the thread',
        params,
        querystring: RunQuery.partial(),
        response: { 202: RunAccepted },
      },
    },
    async ({ caller, params, query }, reply) =>
      reply.status(202).send(await runs.cancel(caller.userId, params.thread_id, query.runId)),
  );
  app.post(
    `${base}/:thread_id/tool-calls/:tool_call_id/decision`,
    {
      schema: {
        tags,
        summary: 'Approve, reject or edit a call that waits for it',
        params: params.extend({ tool_call_id: z.string().min(1).max(200) }),
        body: Decision,
        response: { 202: RunAccepted },
      },
    },
    async ({ caller, params, body }, reply) =>
      reply.status(202).send(await runs.decide(caller.userId, params.thread_id, params.tool_call_id, body)),
  );
}
