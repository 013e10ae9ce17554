import {
  Json,
  JsonObject,
  ModelCategory,
  type ModelInput,
  type ModelPatch,
  type ModelView,
  RegistrySource,
  RequestTemplate,
  ResponseParser,
  VendorAdapter,
} from '@kith/protocol';
import { asc, eq, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, tables } from '../../db/index.ts';
import { errors, isKithError } from '../../errors/index.ts';
import { parserFor } from '../parsers/compile.ts';
import { Capabilities } from '../registry/entities.ts';
import { modelIdOf } from '../registry/seed.ts';
import { ownCards } from '../registry/snapshot.ts';
import { instant, writing } from './write.ts';

const { models, vendors } = tables;

/** The models as rows. What is written has been compiled before: a faulty expression or card is refused with its place. */
export function modelStore({ orm }: Database) {
  const find = async (where: SQL | undefined): Promise<ModelView[]> =>
    (await orm.select().from(models).where(where).orderBy(asc(models.id))).map(viewOf);
  const get = async (id: string): Promise<ModelView> => {
    const [view] = await find(eq(models.id, id));
    if (!view) throw errors.MODEL_NOT_FOUND({ detail: id });
    return view;
  };
  const check = async (model: Checked) => {
    const [vendor] = await orm
      .select({ adapter: vendors.adapter })
      .from(vendors)
      .where(eq(vendors.id, model.vendor_id));
    if (!vendor) throw errors.VENDOR_NOT_FOUND({ detail: model.vendor_id });
    refuseFaults(model, VendorAdapter.parse(vendor.adapter));
    const fallback = model.fallback_model_id;
    if (fallback === null) return;
    if (fallback === modelIdOf(model.vendor_id, model.name)) throw invalid('fallback_model_id', 'is the model itself');
    const [known] = await orm.select({ id: models.id }).from(models).where(eq(models.id, fallback));
    if (!known) throw invalid('fallback_model_id', `there is no model ${fallback}`);
  };
  return {
    list: (vendorId?: string) => find(vendorId === undefined ? undefined : eq(models.vendorId, vendorId)),
    get,
    create: async (input: ModelInput) => {
      await check(input);
      const id = modelIdOf(input.vendor_id, input.name);
      await writing(`the model ${id}`, () =>
        orm.insert(models).values({
          ...columnsOf(input),
          id,
          vendorId: input.vendor_id,
          name: input.name,
          category: input.category,
        }),
      );
      return get(id);
    },
    update: async (id: string, patch: ModelPatch) => {
      const known = await get(id);
      await check({ ...known, ...patch });
      await orm
        .update(models)
        .set({ ...columnsOf(patch), source: 'api', updatedAt: new Date() })
        .where(eq(models.id, id));
      return get(id);
    },
    delete: async (id: string) => {
      const gone = await writing(`the model ${id}`, () =>
        orm.delete(models).where(eq(models.id, id)).returning({ id: models.id }),
      );
      if (gone.length === 0) throw errors.MODEL_NOT_FOUND({ detail: id });
    },
  };
}

type Checked = Pick<
  ModelView,
  | 'vendor_id'
  | 'name'
  | 'category'
  | 'capabilities'
  | 'request_template'
  | 'response_parser'
  | 'price_cards'
  | 'fallback_model_id'
>;

function refuseFaults(model: Checked, adapter: VendorAdapter): void {
  parserFor({
    adapter,
    category: model.category,
    requestTemplate: RequestTemplate.nullable().parse(model.request_template),
    responseParser: ResponseParser.nullable().parse(model.response_parser),
  });
  const capabilities = Capabilities.safeParse(model.capabilities);
  if (!capabilities.success) {
    const [issue] = capabilities.error.issues;
    throw invalid(['capabilities', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'is not valid');
  }
  try {
    ownCards(model.price_cards, model.vendor_id, model.name);
  } catch (error) {
    if (isKithError(error) || !(error instanceof z.ZodError)) throw error;
    const [issue] = error.issues;
    throw invalid(['price_cards', ...(issue?.path ?? [])].join('.'), issue?.message ?? 'is not a price card');
  }
}

function invalid(field: string, message: string) {
  return errors.REQUEST_INVALID({ detail: `${field}: ${message}`, fields: [{ field, message }] });
}

function columnsOf(fields: ModelPatch) {
  return {
    category: fields.category,
    version: fields.version,
    capabilities: fields.capabilities,
    contextWindow: fields.context_window,
    maxOutputTokens: fields.max_output_tokens,
    requestTemplate: fields.request_template,
    responseParser: fields.response_parser,
    priceCards: fields.price_cards,
    fallbackModelId: fields.fallback_model_id,
    enabled: fields.enabled,
  };
}

function viewOf(row: typeof models.$inferSelect): ModelView {
  return {
    id: row.id,
    vendor_id: row.vendorId,
    name: row.name,
    category: ModelCategory.parse(row.category),
    version: row.version,
    capabilities: JsonObject.parse(row.capabilities),
    context_window: row.contextWindow,
    max_output_tokens: row.maxOutputTokens,
    request_template: Json.nullable().parse(row.requestTemplate),
    response_parser: Json.nullable().parse(row.responseParser),
    price_cards: z.array(Json).parse(row.priceCards),
    fallback_model_id: row.fallbackModelId,
    enabled: row.enabled,
    source: RegistrySource.parse(row.source),
    created_at: instant(row.createdAt),
    updated_at: instant(row.updatedAt),
  };
}
