import { Json, type PriceView } from '@kith/protocol';
import type { PriceCard, PriceCatalog } from '../../billing/index.ts';
import type { Snapshot } from '../registry/entities.ts';

/** What calls are priced by now: the card in force of every registered model, then the rest of the shipped cards. */
export function listPrices(
  snapshot: Snapshot,
  shipped: readonly PriceCard[],
  catalog: PriceCatalog,
  now: Date,
): PriceView[] {
  const registered = [...snapshot.models.values()].flatMap((model) => {
    const found = model.prices.find({ model: model.name, vendor: model.vendorId, at: now });
    return found ? [viewOf(found.card, found.band.name, model.id)] : [];
  });
  const listed = new Set(registered.map(({ vendor, model, effective_from }) => `${vendor}/${model}@${effective_from}`));
  const rest = shipped
    .filter(({ vendor, model, effective_from }) => !listed.has(`${vendor}/${model}@${effective_from}`))
    .map((card) => {
      const found = catalog.find({ model: card.model, vendor: card.vendor, at: now });
      return viewOf(card, found?.card === card ? found.band.name : null, null);
    });
  return [...registered, ...rest];
}

function viewOf(card: PriceCard, band: string | null, modelId: string | null): PriceView {
  return {
    vendor: card.vendor,
    model: card.model,
    model_id: modelId,
    currency: 'CNY',
    effective_from: card.effective_from,
    effective_until: card.effective_until ?? null,
    in_force: band !== null,
    band,
    timezone: card.timezone,
    card: Json.parse(JSON.parse(JSON.stringify(card))),
  };
}
