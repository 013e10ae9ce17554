import { InvokeInput, InvokeResult, ModelInput, ModelPatch, ModelView, PriceView, VendorId } from '@kith/protocol';
import { z } from 'zod';
import type { Infra } from '../../models/index.ts';
import type { App, Routes } from '../app.ts';
import { requireAdmin } from '../caller.ts';

const tags = ['infra'];
const url = '/api/v1/infra/models';
const one = `${url}/:id`;
/** `vendor/model`, with its slash escaped. */
const params = z.strictObject({ id: z.string().min(1).max(300) });
const querystring = z.strictObject({ vendor_id: VendorId.optional() });

/** Models: what they are, how their wire looks, what they cost, and a way to try them. */
export function infraModelRoutes({ models: { infra } }: { models: { infra: Infra } }): Routes {
  return async (app) => {
    modelResource(app, infra);
    app.post(
      `${one}/invoke`,
      {
        schema: {
          tags,
          summary: 'Try a model; the call is booked',
          params,
          body: InvokeInput,
          response: { 200: InvokeResult },
        },
      },
      async (request) => {
        requireAdmin(request);
        return infra.invoke(request.params.id, request.body, request.caller.userId);
      },
    );
    app.get(
      '/api/v1/infra/prices',
      {
        schema: {
          tags,
          summary: 'Price cards, with the band that holds now',
          response: { 200: z.object({ prices: z.array(PriceView) }) },
        },
      },
      async (request) => {
        requireAdmin(request);
        return { prices: infra.prices() };
      },
    );
  };
}

function modelResource(app: App, { models }: Infra): void {
  app.get(
    url,
    {
      schema: { tags, summary: 'Models', querystring, response: { 200: z.object({ models: z.array(ModelView) }) } },
    },
    async (request) => {
      requireAdmin(request);
      return { models: await models.list(request.query.vendor_id) };
    },
  );
  app.post(
    url,
    { schema: { tags, summary: 'Add a model', body: ModelInput, response: { 201: ModelView } } },
    async (request, reply) => {
      requireAdmin(request);
      return reply.status(201).send(await models.create(request.body));
    },
  );
  app.get(one, { schema: { tags, summary: 'A model', params, response: { 200: ModelView } } }, async (request) => {
    requireAdmin(request);
    return models.get(request.params.id);
  });
  app.patch(
    one,
    { schema: { tags, summary: 'Change a model', params, body: ModelPatch, response: { 200: ModelView } } },
    async (request) => {
      requireAdmin(request);
      return models.update(request.params.id, request.body);
    },
  );
  app.delete(
    one,
    { schema: { tags, summary: 'Remove a model', params, response: { 204: z.undefined() } } },
    async (request, reply) => {
      requireAdmin(request);
      await models.delete(request.params.id);
      return reply.status(204).send();
    },
  );
}
