export type TableCell = string | number | boolean | null;
export type TableRow = Readonly<Record<string, TableCell>>;

/** The columns of all rows, in the order in which they first appear. */
const columnsOf = (rows: readonly TableRow[]): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

/** Spreadsheets run a cell that begins like a formula, whoever wrote it. A quote in front makes it text. */
const FORMULA = /^[\s\u200b]*[=+\-@＝＋－＠\t\r|]/;
const NUMBER = /^[+-]?\d+([.,]\d+)*%?$/;
const guarded = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text);

/** RFC 4180, with the mark by which Excel knows UTF-8. */
export function toCsv(rows: readonly TableRow[]): Buffer {
  const columns = columnsOf(rows);
  const line = (cells: readonly TableCell[]) => `${cells.map(csvCell).join(',')}\r\n`;
  const lines = rows.map((row) => line(columns.map((column) => row[column] ?? null)));
  return Buffer.from(`\ufeff${line(columns)}${lines.join('')}`);
}

function csvCell(cell: TableCell): string {
  if (cell === null) return '';
  const text = typeof cell === 'string' ? guarded(cell) : String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A workbook of one sheet. Text is written as text, which no spreadsheet takes for a formula. */
export async function toXlsx(rows: readonly TableRow[]): Promise<Buffer> {
  const columns = columnsOf(rows);
  const head = columns.map((value) => ({ value: xmlText(value), type: String, fontWeight: 'bold' as const }));
  const body = rows.map((row) => columns.map((column) => xlsxCell(row[column] ?? null)));
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  return writeXlsxFile([head, ...body], { sheet: 'Sheet1', stickyRowsCount: 1 }).toBuffer();
}

function xlsxCell(cell: TableCell) {
  if (cell === null) return null;
  if (typeof cell === 'number') return Number.isFinite(cell) ? { value: cell, type: Number } : null;
  if (typeof cell === 'boolean') return { value: cell, type: Boolean };
  return { value: xmlText(cell), type: String };
}

const CELL_LENGTH = 32_767;
const xmlText = (text: string): string =>
  [...text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')].slice(0, CELL_LENGTH).join('');
