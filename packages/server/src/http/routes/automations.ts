import {
  Automation,
  AutomationInput,
  AutomationList,
  AutomationPatch,
  AutomationRun,
  AutomationRunPage,
} from '@kith/protocol';
import { z } from 'zod';
import type { Automation as Automations } from '../../automation/index.ts';
import type { App, Routes } from '../app.ts';

const tags = ['automations'];
const base = '/api/v1/automations';
const params = z.strictObject({ automation_id: z.string().max(100) });
const RunsQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** Due times before this instant: the page's `next_before`. */
  before: z.iso.datetime({ offset: true }).optional(),
});

/** Work that the caller has done on a schedule. */
export function automationRoutes({ automation }: { automation: Automations }): Routes {
  return async (app) => {
    collection(app, automation);
    resource(app, automation);
    actions(app, automation);
  };
}

function collection(app: App, automation: Automations): void {
  app.post(
    base,
    { schema: { tags, summary: 'Make an automation', body: AutomationInput, response: { 201: Automation } } },
    async ({ caller, body }, reply) => reply.status(201).send(await automation.create(caller.userId, body)),
  );
  app.get(
    base,
    { schema: { tags, summary: 'Automations, the latest first', response: { 200: AutomationList } } },
    ({ caller }) => automation.list(caller.userId),
  );
}

function resource(app: App, automation: Automations): void {
  app.get(
    `${base}/:automation_id`,
    { schema: { tags, summary: 'An automation', params, response: { 200: Automation } } },
    ({ caller, params }) => automation.get(caller.userId, params.automation_id),
  );
  app.patch(
    `${base}/:automation_id`,
    {
      schema: {
        tags,
        summary: 'Change the named fields; a run under way goes on as it was',
        params,
        body: AutomationPatch,
        response: { 200: Automation },
      },
    },
    ({ caller, params, body }) => automation.update(caller.userId, params.automation_id, body),
  );
  app.delete(
    `${base}/:automation_id`,
    {
      schema: {
        tags,
        summary: 'Delete an automation; what its runs said stays in its session',
        params,
        response: { 204: z.undefined() },
      },
    },
    async ({ caller, params }, reply) => {
      await automation.delete(caller.userId, params.automation_id);
      return reply.status(204).send();
    },
  );
}

function actions(app: App, automation: Automations): void {
  app.post(
    `${base}/:automation_id/pause`,
    { schema: { tags, summary: 'Pause', params, response: { 200: Automation } } },
    ({ caller, params }) => automation.pause(caller.userId, params.automation_id),
  );
  app.post(
    `${base}/:automation_id/resume`,
    {
      schema: {
        tags,
        summary: 'Go on; what passed meanwhile is not made up for',
        params,
        response: { 200: Automation },
      },
    },
    ({ caller, params }) => automation.resume(caller.userId, params.automation_id),
  );
  app.post(
    `${base}/:automation_id/run`,
    { schema: { tags, summary: 'Run it now, whatever its schedule', params, response: { 202: AutomationRun } } },
    async ({ caller, params }, reply) =>
      reply.status(202).send(await automation.runNow(caller.userId, params.automation_id)),
  );
  app.get(
    `${base}/:automation_id/runs`,
    {
      schema: {
        tags,
        summary: 'Due times and what became of them, the latest first',
        params,
        querystring: RunsQuery,
        response: { 200: AutomationRunPage },
      },
    },
    ({ caller, params, query: { before, limit } }) =>
      automation.runs(caller.userId, params.automation_id, { limit, before: before ? new Date(before) : undefined }),
  );
}
