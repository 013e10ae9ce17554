import { EndpointInput, EndpointPatch, EndpointView, VendorId } from '@kith/protocol';
import { z } from 'zod';
import type { Infra } from '../../models/index.ts';
import type { Routes } from '../app.ts';
import { requireAdmin } from '../caller.ts';

const tags = ['infra'];
const url = '/api/v1/infra/endpoints';
const one = `${url}/:id`;
const params = z.strictObject({ id: z.uuid() });
const querystring = z.strictObject({ vendor_id: VendorId.optional() });

/** Where vendors answer: base URLs by category of model. */
export function infraEndpointRoutes({ models: { infra } }: { models: { infra: Infra } }): Routes {
  const { endpoints } = infra;
  return async (app) => {
    app.get(
      url,
      {
        schema: {
          tags,
          summary: 'Endpoints, in the order in which they are tried',
          querystring,
          response: { 200: z.object({ endpoints: z.array(EndpointView) }) },
        },
      },
      async (request) => {
        requireAdmin(request);
        return { endpoints: await endpoints.list(request.query.vendor_id) };
      },
    );
    app.post(
      url,
      { schema: { tags, summary: 'Add an endpoint', body: EndpointInput, response: { 201: EndpointView } } },
      async (request, reply) => {
        requireAdmin(request);
        return reply.status(201).send(await endpoints.create(request.body));
      },
    );
    app.get(
      one,
      { schema: { tags, summary: 'An endpoint', params, response: { 200: EndpointView } } },
      async (request) => {
        requireAdmin(request);
        return endpoints.get(request.params.id);
      },
    );
    app.patch(
      one,
      { schema: { tags, summary: 'Change an endpoint', params, body: EndpointPatch, response: { 200: EndpointView } } },
      async (request) => {
        requireAdmin(request);
        return endpoints.update(request.params.id, request.body);
      },
    );
    app.delete(
      one,
      { schema: { tags, summary: 'Remove an endpoint', params, response: { 204: z.undefined() } } },
      async (request, reply) => {
        requireAdmin(request);
        await endpoints.delete(request.params.id);
        return reply.status(204).send();
      },
    );
  };
}
