import type { PriceView } from '@kith/protocol';
import { Json } from '@kith/protocol';
import { type PriceCard, type PriceCatalog, shippedPriceBook } from '../../billing/index.ts';
import type { Model, Snapshot } from '../registry/entities.ts';

/** Every price card that could price a call, with the band that holds now: the models' own first, then the shipped ones. */
export function listPrices(snapshot: Snapshot, shipped: PriceCatalog, now: Date): PriceView[] {
  const own = [...snapshot.models.values()].flatMap((model) => ownView(model, now));
  const cards = shippedPriceBook().cards.map((card) => viewOf(card, null, shipped, now));
  return [...own, ...cards];
}

function ownView(model: Model, now: Date): PriceView[] {
  const found = model.prices.find({ model: model.name, vendor: model.vendorId, at: now });
  return found ? [viewOf(found.card, model.id, model.prices, now)] : [];
}

function viewOf(card: PriceCard, modelId: string | null, catalog: PriceCatalog, now: Date): PriceView {
  const found = catalog.find({ model: card.model, vendor: card.vendor, at: now });
  const inForce = found?.card.effective_from === card.effective_from;
  return {
    vendor: card.vendor,
    model: card.model,
    model_id: modelId,
    currency: 'CNY',
    effective_from: card.effective_from,
    effective_until: card.effective_until ?? null,
    in_force: inForce,
    band: inForce ? found.band.name : null,
    timezone: card.timezone,
    card: Json.parse(JSON.parse(JSON.stringify(card))),
  };
}
