import { AT_ONCE, type DirectAnswers } from './direct-answers.ts';
import { type Growth, TURNS } from './growth.ts';
import type { Outcome } from './lab.ts';
import type { Cost } from './runs.ts';
import { KITH, type SetUp, TOOLS } from './set-ups.ts';

/** What was measured of one set-up. */
export interface Row {
  setUp: SetUp;
  name: string;
  cost: Outcome<Cost>;
  transactions?: Outcome<number>;
  growth?: Outcome<Growth>;
}

const NONE = '–';

/** A table in Markdown whose columns stand under each other; numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, at) => (at === 0 ? (cells[at] ?? '').padEnd(width) : (cells[at] ?? '').padStart(width))).join(' | ')} |`;
  const rule = widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** Three digits that matter, never fewer than those before the point. */
export function digits(value: number): string {
  const places = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toFixed(places);
}

export const ratio = (value: number, base: number | undefined): string => (base ? `${digits(value / base)}×` : NONE);

const kilobytes = (bytes: number) => bytes / 1024;

/** What a run costs, each figure beside its ratio to Kith's: over 1 means dearer than Kith. */
export function costTable(rows: readonly Row[]): string {
  const kith = rows.find(({ setUp }) => setUp === KITH);
  const figures = (row: Row | undefined) => {
    const cost = row && 'value' in row.cost ? row.cost.value : undefined;
    const transactions = row?.transactions && 'value' in row.transactions ? row.transactions.value : undefined;
    return {
      cpuMs: cost?.cpuMs,
      transactions,
      walKb: cost && row?.setUp.keepsIn ? kilobytes(cost.walBytes) : undefined,
    };
  };
  const base = figures(kith);
  const cells = (value: number | undefined, of: number | undefined) =>
    value === undefined ? [NONE, NONE] : [digits(value), ratio(value, of)];
  return table(
    ['one run', 'calls + tools', 'CPU ms', '× Kith', 'transactions', '× Kith', 'WAL KB', '× Kith'],
    rows.map((row) => {
      const { cpuMs, transactions, walKb } = figures(row);
      return [
        row.name,
        `${row.setUp.modelCalls} + ${TOOLS}`,
        ...cells(cpuMs, base.cpuMs),
        ...cells(transactions, base.transactions),
        ...cells(walKb, base.walKb),
      ];
    }),
  );
}

/** The first turns of a thread beside its last: over 1 means that it grows. */
export function growthTable(rows: readonly Row[]): string {
  const late = `turns ${TURNS - 2}–${TURNS}`;
  return table(
    [`${TURNS} turns on a thread`, 'WAL KB, turns 2–4', late, 'growth', 'ms, turns 2–4', late, 'growth'],
    rows.flatMap(({ name, growth }) => {
      if (!growth || 'failure' in growth) return [];
      const { early, late: last } = growth.value;
      return [
        [
          name,
          digits(kilobytes(early.walBytes)),
          digits(kilobytes(last.walBytes)),
          ratio(last.walBytes, early.walBytes),
          digits(early.ms),
          digits(last.ms),
          ratio(last.ms, early.ms),
        ],
      ];
    }),
  );
}

export function directTable({ model, kith }: DirectAnswers): string {
  const line = (name: string, { firstTokenMs, endMs, slowEndMs, perSecond }: DirectAnswers['kith']) => [
    name,
    ...[firstTokenMs, endMs, slowEndMs, perSecond].map(digits),
  ];
  return table(
    ['a direct answer', 'first token ms', `end ms, ${AT_ONCE} at once`, 'p99', 'answers/s'],
    [line('Kith over HTTP', kith), line('the model itself', model)],
  );
}

/** Why figures are missing. */
export function failures(rows: readonly Row[]): string[] {
  return rows.flatMap(({ name, cost, transactions, growth }) =>
    [cost, transactions, growth].flatMap((outcome) =>
      outcome && 'failure' in outcome ? [`${name}: not measured: ${outcome.failure}`] : [],
    ),
  );
}
