import readXlsxFile from 'read-excel-file/node';
import { unpackOffice } from './archive.ts';
import type { ReadingLimits } from './limits.ts';
import { FileFault } from './reading.ts';
import { repack } from './repack.ts';
import type { Cell, Sheet } from './table.ts';

/** The values of a workbook: results of formulas as they were saved, never the formulas' work. */
export async function readXlsx(bytes: Buffer, limits: ReadingLimits): Promise<Sheet[]> {
  const parts = unpackOffice(bytes, limits);
  if (!parts.has('xl/workbook.xml')) throw new FileFault('FILE_TYPE_MISMATCH', 'this is not an Excel workbook');
  countCells(parts, limits);
  const sheets = await readXlsxFile(repack(parts));
  return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data.map((row) => row.map(cellOf)) }));
}

/** Counted before a parser makes rows of it: two cells in opposite corners are enough to ask for seventeen billion. */
function countCells(parts: ReadonlyMap<string, Buffer>, { cells: limit }: ReadingLimits): void {
  let total = 0;
  for (const [name, part] of parts) {
    if (!/^xl\/worksheets\/[^/]+\.xml$/.test(name)) continue;
    let count = 0;
    let lastRow = 0;
    let lastColumn = 0;
    for (const [, attributes = ''] of part.toString('latin1').matchAll(/<(?:\w+:)?c(?=[\s/>])([^>]*)>/g)) {
      count += 1;
      const [, column = '', row = '0'] = / r="([A-Z]{1,3})(\d{1,7})"/.exec(attributes) ?? [];
      lastRow = Math.max(lastRow, Number(row));
      lastColumn = Math.max(lastColumn, columnNumber(column));
    }
    total += Math.max(count, lastRow * lastColumn);
    if (total > limit) throw new FileFault('FILE_TOO_MANY_CELLS', `more than ${limit} cells`);
  }
}

const columnNumber = (letters: string): number =>
  [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);

function cellOf(value: unknown): Cell {
  if (value instanceof Date) return value.toISOString().replace(/(T00:00:00)?\.\d+Z$/, '');
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}
