import {
  type EndpointInput,
  type EndpointPatch,
  type EndpointView,
  ModelCategory,
  RegistrySource,
} from '@kith/protocol';
import { and, asc, eq, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, tables } from '../../db/index.ts';
import { errors } from '../../errors/index.ts';
import type { Breakers } from '../routing/breaker.ts';
import { instant, writing } from './write.ts';

const { vendorEndpoints: endpoints, vendors } = tables;

export function endpointStore({ orm }: Database, breakers: Breakers) {
  const find = async (where: SQL | undefined) =>
    (
      await orm
        .select()
        .from(endpoints)
        .where(where)
        .orderBy(asc(endpoints.vendorId), asc(endpoints.priority), asc(endpoints.label))
    ).map((row) => viewOf(row, breakers));
  const get = async (id: string): Promise<EndpointView> => {
    const [view] = await find(eq(endpoints.id, id));
    if (!view) throw errors.ENDPOINT_NOT_FOUND({ detail: id });
    return view;
  };
  return {
    list: (vendorId?: string) => find(vendorId === undefined ? undefined : eq(endpoints.vendorId, vendorId)),
    get,
    create: async (input: z.infer<typeof EndpointInput>) => {
      const { vendor_id: vendorId, base_url: baseUrl, ...rest } = input;
      const [vendor] = await orm.select({ id: vendors.id }).from(vendors).where(eq(vendors.id, vendorId));
      if (!vendor) throw errors.VENDOR_NOT_FOUND({ detail: vendorId });
      const [row] = await writing(`the endpoint ${rest.label} of ${vendorId}`, () =>
        orm
          .insert(endpoints)
          .values({ vendorId, baseUrl, ...rest })
          .returning({ id: endpoints.id }),
      );
      return get(row?.id ?? '');
    },
    update: async (id: string, { base_url: baseUrl, ...rest }: z.infer<typeof EndpointPatch>) => {
      const changed = { ...rest, ...(baseUrl === undefined ? {} : { baseUrl }), source: 'api' };
      await writing(`an endpoint ${rest.label}`, () => orm.update(endpoints).set(changed).where(eq(endpoints.id, id)));
      return get(id);
    },
    delete: async (id: string) => {
      const gone = await orm
        .delete(endpoints)
        .where(and(eq(endpoints.id, id)))
        .returning({ id: endpoints.id });
      if (gone.length === 0) throw errors.ENDPOINT_NOT_FOUND({ detail: id });
    },
  };
}

function viewOf(row: typeof endpoints.$inferSelect, breakers: Breakers): EndpointView {
  return {
    id: row.id,
    vendor_id: row.vendorId,
    label: row.label,
    base_url: row.baseUrl,
    categories: z.array(ModelCategory).parse(row.categories),
    priority: row.priority,
    enabled: row.enabled,
    source: RegistrySource.parse(row.source),
    circuit: breakers.stateOf(row.id),
    created_at: instant(row.createdAt),
  };
}
