import { AgentType, SystemAgentInput, SystemAgentView } from '@kith/protocol';
import { z } from 'zod';
import type { Infra } from '../../models/index.ts';
import type { Routes } from '../app.ts';
import { requireAdmin } from '../caller.ts';

const tags = ['infra'];
const url = '/api/v1/infra/agents';
const one = `${url}/:agent_type`;
const params = z.strictObject({ agent_type: AgentType });

/** Which model serves which agent type. */
export function infraAgentRoutes({ models: { infra } }: { models: { infra: Infra } }): Routes {
  const { agents } = infra;
  return async (app) => {
    app.get(
      url,
      {
        schema: {
          tags,
          summary: 'Agent types and their models',
          response: { 200: z.object({ agents: z.array(SystemAgentView) }) },
        },
      },
      async (request) => {
        requireAdmin(request);
        return { agents: await agents.list() };
      },
    );
    app.get(
      one,
      { schema: { tags, summary: 'The model of an agent type', params, response: { 200: SystemAgentView } } },
      async (request) => {
        requireAdmin(request);
        return agents.get(request.params.agent_type);
      },
    );
    app.put(
      one,
      {
        schema: {
          tags,
          summary: 'Give an agent type its model',
          params,
          body: SystemAgentInput,
          response: { 200: SystemAgentView },
        },
      },
      async (request) => {
        requireAdmin(request);
        return agents.assign(request.params.agent_type, request.body.model_id);
      },
    );
    app.delete(
      one,
      {
        schema: {
          tags,
          summary: 'Leave an optional agent type without a model',
          params,
          response: { 204: z.undefined() },
        },
      },
      async (request, reply) => {
        requireAdmin(request);
        await agents.unassign(request.params.agent_type);
        return reply.status(204).send();
      },
    );
  };
}
