import { KeyInput, KeyPatch, KeyRotation, KeyTestResult, KeyView, VendorId } from '@kith/protocol';
import { z } from 'zod';
import type { Infra } from '../../models/index.ts';
import type { Routes } from '../app.ts';
import { requireAdmin } from '../caller.ts';

const tags = ['infra'];
const url = '/api/v1/infra/keys';
const one = `${url}/:id`;
const params = z.strictObject({ id: z.uuid() });
const querystring = z.strictObject({ vendor_id: VendorId.optional() });

/** Keys of vendors: a secret goes in, and only its beginning is ever shown. */
export function infraKeyRoutes({ models: { infra } }: { models: { infra: Infra } }): Routes {
  const { keys } = infra;
  return async (app) => {
    app.get(
      url,
      {
        schema: {
          tags,
          summary: 'Keys, by their beginning',
          querystring,
          response: { 200: z.object({ keys: z.array(KeyView) }) },
        },
      },
      async (request) => {
        requireAdmin(request);
        return { keys: await keys.list(request.query.vendor_id) };
      },
    );
    app.post(
      url,
      { schema: { tags, summary: 'Add a key', body: KeyInput, response: { 201: KeyView } } },
      async (request, reply) => {
        requireAdmin(request);
        return reply.status(201).send(await keys.create(request.body));
      },
    );
    app.get(one, { schema: { tags, summary: 'A key', params, response: { 200: KeyView } } }, async (request) => {
      requireAdmin(request);
      return keys.get(request.params.id);
    });
    app.patch(
      one,
      { schema: { tags, summary: 'Change a key', params, body: KeyPatch, response: { 200: KeyView } } },
      async (request) => {
        requireAdmin(request);
        return keys.update(request.params.id, request.body);
      },
    );
    app.post(
      `${one}/rotate`,
      {
        schema: {
          tags,
          summary: 'Another secret for the same key',
          params,
          body: KeyRotation,
          response: { 200: KeyView },
        },
      },
      async (request) => {
        requireAdmin(request);
        return keys.rotate(request.params.id, request.body.secret);
      },
    );
    app.post(
      `${one}/test`,
      {
        schema: {
          tags,
          summary: 'Ask the vendor whether it accepts the key',
          params,
          response: { 200: KeyTestResult },
        },
      },
      async (request) => {
        requireAdmin(request);
        return infra.testKey(request.params.id);
      },
    );
    app.delete(
      one,
      { schema: { tags, summary: 'Remove a key', params, response: { 204: z.undefined() } } },
      async (request, reply) => {
        requireAdmin(request);
        await keys.delete(request.params.id);
        return reply.status(204).send();
      },
    );
  };
}
