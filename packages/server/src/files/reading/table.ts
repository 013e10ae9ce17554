import type { TableSummary } from '@kith/protocol';
import type { Page } from './document.ts';
import { cleanText } from './encoding.ts';

export type Cell = string | number | boolean | null;
export interface Sheet {
  name: string;
  rows: readonly (readonly Cell[])[];
}

const SAMPLE_ROWS = 5;
const COLUMNS = 60;
const CELL = 200;

/** The first row that has anything in it names the columns. */
function headed({ rows }: Sheet): { columns: string[]; body: readonly (readonly Cell[])[] } {
  const first = rows.findIndex((row) => row.some((cell) => cell !== null && cell !== ''));
  const columns = (rows[first] ?? []).map((cell) => short(cell).toString());
  return { columns, body: first < 0 ? [] : rows.slice(first + 1) };
}

export function summarizeTable(sheets: readonly Sheet[]): TableSummary {
  return {
    kind: 'table',
    sheets: sheets.map((sheet) => {
      const { columns, body } = headed(sheet);
      return {
        name: sheet.name,
        columns: columns.slice(0, COLUMNS),
        row_count: body.length,
        sample_rows: body.slice(0, SAMPLE_ROWS).map((row) => row.slice(0, COLUMNS).map(shortCell)),
      };
    }),
  };
}

/** A sheet as a page: a line for each row. Every passage of it is also found by the heads of the columns. */
export const sheetPages = (sheets: readonly Sheet[]): Page[] =>
  sheets.map((sheet) => {
    const { columns, body } = headed(sheet);
    return { context: [sheet.name, ...columns].join(' '), text: body.map(rowLine).join('') };
  });

export const rowLine = (row: readonly Cell[]): string =>
  `${row.map((cell) => (cell === null ? '' : cleanText(String(cell)).replace(/\s+/g, ' '))).join(' | ')}\n`;

const shortCell = (cell: Cell): Cell => (typeof cell === 'string' ? short(cell) : cell);
const short = (cell: Cell): string =>
  [
    ...cleanText(String(cell ?? ''))
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 2 * CELL),
  ]
    .slice(0, CELL)
    .join('');
