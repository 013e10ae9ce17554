import type { ExecutionResult, Json } from '@kith/protocol';
import { toCsv, toXlsx } from '../../files/index.ts';
import type { RunServices } from '../services.ts';
import { type RunState, toolResultsOf } from '../state.ts';
import { fileName } from './document.ts';
import type { OutputFile } from './output-file.ts';

type Cell = string | number | boolean | null;
type Row = Record<string, Cell>;

/** `output.table`: the rows that the work produced, as CSV and as XLSX. */
export async function makeTable(
  state: RunState,
  services: RunServices,
  execution: ExecutionResult,
): Promise<OutputFile[]> {
  const rows =
    rowsOf(execution.execution_data) ??
    toolResultsOf(state)
      .map(({ result }) => rowsOf(result.result))
      .findLast(Boolean) ??
    [];
  if (rows.length === 0) return [];
  const name = fileName(state.task_goal);
  const { userId, sessionId } = state.identity;
  const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  return [
    await services.files.saveOutput(userId, sessionId, `${name}.csv`, 'text/csv', toCsv(rows)),
    await services.files.saveOutput(userId, sessionId, `${name}.xlsx`, xlsx, await toXlsx(rows)),
  ];
}

/** The largest list of records in a result. */
function rowsOf(value: Json): Row[] | undefined {
  if (Array.isArray(value)) return value.length > 0 && value.every(isRecord) ? value.map(flat) : undefined;
  if (!isRecord(value)) return undefined;
  return Object.values(value)
    .flatMap((inner) => {
      const rows = rowsOf(inner);
      return rows ? [rows] : [];
    })
    .sort((one, other) => other.length - one.length)[0];
}

const isRecord = (value: Json): value is Record<string, Json> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const flat = (record: Record<string, Json>): Row =>
  Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  );
