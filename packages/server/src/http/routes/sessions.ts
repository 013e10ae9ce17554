import {
  HistoryMessage,
  RuntimeState,
  Session,
  SessionInput,
  SessionPage,
  SessionPatch,
  ThreadId,
  UsageTotals,
  UserId,
} from '@kith/protocol';
import { z } from 'zod';
import type { Database } from '../../db/index.ts';
import type { Files } from '../../files/index.ts';
import { readAudit, readRuntimeState, type Sessions, sessionUsage, toSession } from '../../sessions/index.ts';
import type { Users } from '../../users/index.ts';
import type { App, Routes } from '../app.ts';
import { requireAdmin } from '../caller.ts';

export interface SessionServices {
  database: Pick<Database, 'sql'>;
  sessions: Sessions;
  users: Users;
  files: Files;
}

const tags = ['sessions'];
const base = '/api/v1/agent/sessions';
const params = z.strictObject({ thread_id: ThreadId });
const SessionQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(200).optional(),
  q: z.string().max(200).optional(),
});
const AuditQuery = z.strictObject({
  /** Whose thread; the caller's own when it is not said. */
  user_id: UserId.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});

/** Conversations. */
export function sessionRoutes(services: SessionServices): Routes {
  return async (app) => {
    collection(app, services);
    resource(app, services);
    insights(app, services);
  };
}

function collection(app: App, { sessions, users }: SessionServices): void {
  app.post(
    base,
    { schema: { tags, summary: 'Begin a session', body: SessionInput.nullish(), response: { 201: Session } } },
    async ({ caller, body }, reply) => {
      const context = await users.contextOf(caller.userId);
      return reply.status(201).send(await sessions.create(caller.userId, body ?? {}, context));
    },
  );
  app.get(
    base,
    {
      schema: {
        tags,
        summary: 'Sessions, the latest first; `q` searches titles',
        querystring: SessionQuery,
        response: { 200: SessionPage },
      },
    },
    ({ caller, query: { limit, cursor, q } }) => sessions.list(caller.userId, { limit, cursor, search: q }),
  );
}

function resource(app: App, { sessions }: SessionServices): void {
  app.get(
    `${base}/:thread_id`,
    { schema: { tags, summary: 'A session', params, response: { 200: Session } } },
    async ({ caller, params }) => toSession(await sessions.find(caller.userId, params.thread_id)),
  );
  app.patch(
    `${base}/:thread_id`,
    { schema: { tags, summary: 'Rename a session', params, body: SessionPatch, response: { 200: Session } } },
    ({ caller, params, body }) => sessions.rename(caller.userId, params.thread_id, body),
  );
  app.delete(
    `${base}/:thread_id`,
    { schema: { tags, summary: 'Delete a session and all that was said', params, response: { 204: z.undefined() } } },
    async ({ caller, params }, reply) => {
      await sessions.remove(caller.userId, params.thread_id);
      return reply.status(204).send();
    },
  );
}

function insights(app: App, { database, sessions, files }: SessionServices): void {
  const { sql } = database;
  app.get(
    `${base}/:thread_id/usage`,
    { schema: { tags, summary: 'Tokens and cost', params, response: { 200: UsageTotals } } },
    async ({ caller, params }) => sessionUsage(sql, (await sessions.find(caller.userId, params.thread_id)).id),
  );
  app.get(
    `${base}/:thread_id/state`,
    { schema: { tags, summary: 'The RuntimeState', params, response: { 200: RuntimeState } } },
    async ({ caller, params }) => {
      const session = await sessions.find(caller.userId, params.thread_id);
      return readRuntimeState(sql, session, await files.forSession(caller.userId, session.id));
    },
  );
  app.get(
    `${base}/:thread_id/audit`,
    {
      schema: {
        tags,
        summary: 'The raw results of the stages (administrators)',
        params,
        querystring: AuditQuery,
        response: { 200: z.object({ messages: z.array(HistoryMessage) }) },
      },
    },
    async (request) => {
      requireAdmin(request);
      const { caller, params, query } = request;
      const session = await sessions.find(query.user_id ?? caller.userId, params.thread_id);
      return { messages: await readAudit(sql, session.id, query.limit) };
    },
  );
}
