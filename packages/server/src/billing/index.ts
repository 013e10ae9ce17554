/** What a call used and what it costs: usage summaries, dated price cards, and exact amounts in CNY. */
export {
  type CallCost,
  type CallToPrice,
  type CostComponent,
  costOfCall,
  type MessageCost,
  sumCosts,
} from './cost.ts';
export { formatPico, type Pico, parsePico } from './money.ts';
export { HolidayCalendars, PriceBand, PriceBook, PriceCard, PriceTier } from './price-card.ts';
export {
  type CardInForce,
  type PriceCatalog,
  type PriceQuery,
  priceCatalog,
  shippedPriceBook,
} from './price-catalog.ts';
export { priceLine } from './price-line.ts';
export { type ReportedCost, summarizeUsage } from './raw-usage.ts';
export { Inconsistency, mergeUsage, UsageSummary } from './usage-summary.ts';
