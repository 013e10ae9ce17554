/** As much of a card as a page shows: what it does not know of is left to "the whole card". */
export interface ShownBand {
  name: string;
  when: string;
  tiers: { above: number; prices: ShownPrice[] }[];
}
export interface ShownPrice {
  kind: string;
  /** What it depends on: a resolution, a size. */
  of: string;
  amount: string;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const objectsIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : []);

export function bandsOf(card: unknown): ShownBand[] {
  return objectsIn(isObject(card) ? card.bands : undefined).map(({ name, windows, tiers, ...flat }) => ({
    name: String(name ?? ''),
    when: (Array.isArray(windows) ? windows : [])
      .filter((window) => Array.isArray(window))
      .map((window) => window.join('–'))
      .join(', '),
    tiers: [flat, ...objectsIn(tiers)]
      .map(({ gt, ...prices }) => ({ above: Number(gt ?? 0), prices: amountsIn(prices) }))
      .filter(({ prices }) => prices.length > 0),
  }));
}

/** Money is text on the wire, by size or resolution where it depends on one; a list such as `weekdays` is none. */
const amountsIn = (prices: Record<string, unknown>): ShownPrice[] =>
  Object.entries(prices).flatMap(([kind, amount]) => {
    if (isMoney(amount)) return [{ kind, of: '', amount }];
    if (!isObject(amount) || Array.isArray(amount)) return [];
    return Object.entries(amount).flatMap(([of, each]) => (isMoney(each) ? [{ kind, of, amount: each }] : []));
  });

const isMoney = (value: unknown): value is string => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);
