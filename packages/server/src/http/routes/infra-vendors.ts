import { VendorId, VendorInput, VendorPatch, VendorView } from '@kith/protocol';
import { z } from 'zod';
import type { Infra } from '../../models/index.ts';
import type { Routes } from '../app.ts';
import { requireAdmin } from '../caller.ts';

const tags = ['infra'];
const url = '/api/v1/infra/vendors';
const one = `${url}/:id`;
const params = z.strictObject({ id: VendorId });

/** Who answers: vendors of models. */
export function infraVendorRoutes({ models: { infra } }: { models: { infra: Infra } }): Routes {
  const { vendors } = infra;
  return async (app) => {
    app.get(
      url,
      { schema: { tags, summary: 'Vendors', response: { 200: z.object({ vendors: z.array(VendorView) }) } } },
      async (request) => {
        requireAdmin(request);
        return { vendors: await vendors.list() };
      },
    );
    app.post(
      url,
      { schema: { tags, summary: 'Add a vendor', body: VendorInput, response: { 201: VendorView } } },
      async (request, reply) => {
        requireAdmin(request);
        return reply.status(201).send(await vendors.create(request.body));
      },
    );
    app.get(one, { schema: { tags, summary: 'A vendor', params, response: { 200: VendorView } } }, async (request) => {
      requireAdmin(request);
      return vendors.get(request.params.id);
    });
    app.patch(
      one,
      { schema: { tags, summary: 'Change a vendor', params, body: VendorPatch, response: { 200: VendorView } } },
      async (request) => {
        requireAdmin(request);
        return vendors.update(request.params.id, request.body);
      },
    );
    app.delete(
      one,
      {
        schema: {
          tags,
          summary: 'Remove a vendor with its endpoints, keys and models',
          params,
          response: { 204: z.undefined() },
        },
      },
      async (request, reply) => {
        requireAdmin(request);
        await vendors.delete(request.params.id);
        return reply.status(204).send();
      },
    );
  };
}
