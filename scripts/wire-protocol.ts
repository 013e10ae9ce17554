import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { EventSchema } from '@ag-ui/core/schemas';
import { KithEvent, SocketRequest } from '@kith/protocol';
import { type ErrorCode, errors } from '../packages/server/src/errors/index.ts';

/** The tables of docs/wire-protocol.md come from the schemas: `node scripts/wire-protocol.ts` writes them anew. */

export const page = fileURLToPath(new URL('../docs/wire-protocol.md', import.meta.url));

const tables: Record<string, () => string> = { events: eventTable, errors: errorTable, socket: socketTable };

/** The page with every table as the schemas have it now. */
export function withTables(markdown: string): string {
  return markdown.replaceAll(
    /(<!-- table: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start: string, name: string, end: string) => `${start}\n${tables[name]?.() ?? ''}\n\n${end}`,
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' ');
const isOptional = (schema: { safeParse(value: unknown): { success: boolean } }) => schema.safeParse(undefined).success;

function eventTable(): string {
  const official = new Map(EventSchema.options.map((each) => [`${each.shape.type.value}`, Object.keys(each.shape)]));
  const rows = KithEvent.options.map(({ shape }) => {
    const fields = Object.entries(shape).filter(([name]) => !['type', 'threadId', 'runId'].includes(name));
    const named = (wanted: boolean) =>
      fields.filter(([, schema]) => isOptional(schema) === wanted).map(([name]) => name);
    const ours = fields.map(([name]) => name).filter((name) => !official.get(shape.type.value)?.includes(name));
    return [code([shape.type.value]), code(named(false)), code(named(true)), code(ours)];
  });
  return table(['event', 'always', 'where known', 'under `metadata` in plain AG-UI'], rows);
}

function errorTable(): string {
  const codes = Object.keys(errors) as ErrorCode[];
  const rows = codes
    .map((name) => errors[name]())
    .map(({ code: name, status, title }) => [`\`${name}\``, `${status}`, title]);
  return table(['code', 'status', 'title'], rows);
}

function socketTable(): string {
  const rows = SocketRequest.options.map(({ shape }) => {
    const fields = 'shape' in shape.payload ? Object.entries(shape.payload.shape) : [];
    const names = fields.map(([name, schema]) => `\`${name}${isOptional(schema) ? '?' : ''}\``);
    return [`\`${shape.type.value}\``, names.join(' ') || 'anything, or nothing'];
  });
  return table(['message', 'payload'], rows);
}

if (import.meta.main) writeFileSync(page, withTables(readFileSync(page, 'utf8')));
