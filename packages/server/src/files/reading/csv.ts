import { CsvError, parse } from 'csv-parse/sync';
import type { ReadingLimits } from './limits.ts';
import { FileFault } from './reading.ts';
import type { Sheet } from './table.ts';

const MAX_RECORD = 1024 * 1024;

export function readCsv(text: string, limits: ReadingLimits): Sheet[] {
  let cells = 0;
  try {
    const rows: string[][] = parse(text, {
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD,
      on_record: (row: string[]) => {
        cells += row.length;
        if (cells > limits.cells) throw new FileFault('FILE_TOO_MANY_CELLS', `more than ${limits.cells} cells`);
        return row;
      },
    });
    return [{ name: 'csv', rows }];
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_MAX_RECORD_SIZE') {
      throw new FileFault('FILE_TOO_LONG', `a line is longer than ${MAX_RECORD} characters`);
    }
    if (error instanceof CsvError) throw new FileFault('FILE_BROKEN', error.message);
    throw error;
  }
}

/** The separator that the first line has most of. */
function delimiterOf(text: string): string {
  const [line = ''] = text.slice(0, 64 * 1024).split('\n', 1);
  const counts = [',', '\t', ';', '|'].map((mark) => ({ mark, count: line.split(mark).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}
