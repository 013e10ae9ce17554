import type { FileSummary, FileText } from '@kith/protocol';
import type { Sql, Transaction } from '../db/index.ts';
import { errors } from '../errors/index.ts';
import type { FileRow } from './file-rows.ts';

/** So much of a file goes into one answer. */
const READ_CHARACTERS = 20_000;

export async function readPages(
  sql: Sql | Transaction,
  file: FileRow,
  pages: string | readonly number[] | undefined,
): Promise<FileText> {
  const total = pageCount(file);
  const about = { file_id: file.id, name: file.name, total_pages: total };
  if (file.summary?.kind === 'other') {
    return { ...about, text: JSON.stringify(file.summary.metadata), pages: [], truncated: false };
  }
  const wanted = pages === undefined ? null : pageNumbers(pages, total);
  const rows = await sql<{ page: number; text: string; until: number; length: number }[]>`
    select page, text, until, length from (
      select position, page, text, length(text) as length, sum(length(text)) over (order by position) as until
      from file_chunks where file_id = ${file.id} and user_id = ${file.user_id}
        ${wanted ? sql`and page = any(${wanted}::integer[])` : sql``}
    ) as chunk
    where until - length <= ${READ_CHARACTERS} order by position`;
  const last = rows.at(-1);
  const truncated = last !== undefined && last.until > READ_CHARACTERS;
  const kept = truncated ? rows.slice(0, -1) : rows;
  return { ...about, text: joined(file, kept), pages: [...new Set(kept.map((row) => row.page))], truncated };
}

/** Pages are told apart by an empty line, sheets by their name and the heads of their columns. */
function joined(file: FileRow, rows: readonly { page: number; text: string }[]): string {
  return rows
    .map(({ page, text }, index) => {
      const starts = rows[index - 1]?.page !== page;
      if (!starts) return text;
      return `${index > 0 ? '\n\n' : ''}${headOf(file.summary, page)}${text}`;
    })
    .join('');
}

/** What a row means is in the heads of its columns. */
export function headOf(summary: FileSummary | null, page: number | null): string {
  const sheet = summary?.kind === 'table' ? summary.sheets[(page ?? 1) - 1] : undefined;
  return sheet ? `# ${sheet.name}\n${sheet.columns.join(' | ')}\n` : '';
}

function pageCount({ summary }: FileRow): number {
  if (summary?.kind === 'document') return summary.pages;
  return summary?.kind === 'table' ? summary.sheets.length : 0;
}

function pageNumbers(pages: string | readonly number[], total: number): number[] {
  const ranges = typeof pages === 'string' ? pages.split(',').map(rangeOf) : pages.map((page) => [page, page] as const);
  return ranges.flatMap(([first, last]) => {
    if (!Number.isInteger(first) || !Number.isInteger(last) || first < 1 || last < first || first > total) {
      const message = `expected pages such as "1-3,5"; this file has ${total}`;
      throw errors.REQUEST_INVALID({ detail: message, fields: [{ field: 'pages', message }] });
    }
    const end = Math.min(last, total);
    return Array.from({ length: end - first + 1 }, (_, index) => first + index);
  });
}

function rangeOf(text: string): readonly [number, number] {
  const [, first = 'NaN', last = first] = /^\s*(\d{1,7})\s*(?:-\s*(\d{1,7})\s*)?$/.exec(text) ?? [];
  return [Number(first), Number(last)];
}
