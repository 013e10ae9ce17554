import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export interface Column<Row> {
  key: string;
  title: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Figures stand to the right, one digit under another. */
  numeric?: boolean;
  className?: string;
}

export interface TableProps<Row> {
  /** What the table holds, for those who do not see it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** A last line of totals. */
  footer?: ReactNode;
}

/** Scrolls sideways by itself where the screen is narrower than its columns. */
export function Table<Row>({ caption, columns, rows, rowKey, footer }: TableProps<Row>) {
  const align = (column: Column<Row>) => (column.numeric ? 'text-end tabular-nums' : 'text-start');
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-collapse">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-line text-sm text-faint">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={classes('px-2 py-1.5 font-medium whitespace-nowrap', align(column), column.className)}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b border-line last:border-0 hover:bg-hover/50">
              {columns.map((column) => (
                <td key={column.key} className={classes('px-2 py-2 align-top', align(column), column.className)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {footer && <tfoot>{footer}</tfoot>}
      </table>
    </div>
  );
}
