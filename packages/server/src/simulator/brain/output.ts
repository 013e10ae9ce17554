import { canonicalToolName, type OrganizationResult } from '@kith/protocol';
import { z } from 'zod';
import type { Reading } from '../language/reading.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { ReportedCall, type Told } from '../reports/report.ts';
import { suggestions } from '../reports/suggestions.ts';
import { tellCall } from '../reports/tell.ts';
import { document, markdownTable } from '../reports/written-forms.ts';
import type { Interpretation } from './interpret.ts';

const Material = z.looseObject({ tool: z.string(), status: z.string().optional(), result: z.unknown().optional() });
type Material = z.infer<typeof Material>;

const ExecutionData = z.looseObject({
  calls: z.array(ReportedCall).optional(),
  rows: z.array(z.record(z.string(), z.string())).optional(),
  notes: z.array(z.string()).default([]),
});
const Execution = z.looseObject({
  status: z.string().default('SUCCESS'),
  execution_summary: z.string().default(''),
  report_brief: z.string().default(''),
  error_message: z.string().nullish(),
  execution_data: ExecutionData.catch({ notes: [] }).default({ notes: [] }),
});
type Execution = z.infer<typeof Execution>;

/** The organization stage: what was done, told in the user's language, in the form that was asked for. */
export function organize(prompt: Prompt, { form }: Interpretation, reading: Reading): OrganizationResult {
  const execution = Execution.catch(Execution.parse({})).parse(prompt.sections.EXECUTION ?? {});
  const { calls, rows, notes } = execution.execution_data;
  if (rows?.[0]) return reply([tableOf(rows), ...notes].join('\n\n'));
  const material = z
    .array(Material)
    .catch([])
    .parse(prompt.sections.MATERIAL ?? []);
  const known = calls ?? (notes.length > 0 ? [] : material.filter(({ tool }) => tool !== 'plan').map(unplanned));
  const told = [...tell(known, material, reading), ...notes.map((text) => ({ text }))].filter(
    ({ text }) => text !== '',
  );
  const all = told.length > 0 ? told : [{ text: inShort(execution, reading) }];
  const actions = suggestions(known, reading);
  const more: OrganizationResult['response_metadata'] = actions.length > 0 ? { suggested_actions: actions } : {};
  if (form !== 'document') return reply(all.map(({ text }) => text).join('\n\n'), more);
  const { text, summary, details } = document(all, execution.report_brief || prompt.message, reading);
  const structure = [
    { id: 'summary', content: summary },
    { id: 'details', content: details },
  ];
  return reply(text, { ...more, output_structure: structure });
}

const reply = (text: string, metadata: OrganizationResult['response_metadata'] = {}): OrganizationResult => ({
  assistant_text: text,
  response_metadata: metadata,
});

function tableOf(rows: readonly Record<string, string>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  return markdownTable({ columns, rows: rows.map((row) => columns.map((column) => row[column] ?? '')) });
}

/** Material of a run that another planner led. */
const unplanned = ({ tool, status }: Material): ReportedCall => ({
  tool: canonicalToolName(tool),
  input: {},
  status: status === 'failure' ? 'failed' : 'success',
  shown: true,
  about: {},
});

/** Calls of one tool and its material stand in the same order. Calls that failed have nothing to tell but why. */
function tell(calls: readonly ReportedCall[], material: readonly Material[], reading: Reading): Told[] {
  const left = material.filter(({ status }) => status !== 'failure');
  return calls.flatMap((call) => {
    const went = call.status === 'success' || call.status === 'partial';
    const at = went ? left.findIndex(({ tool }) => canonicalToolName(tool) === call.tool) : -1;
    const own = at < 0 ? undefined : left.splice(at, 1)[0];
    return call.shown ? [tellCall(call, own?.result, reading)] : [];
  });
}

function inShort({ status, error_message, report_brief, execution_summary }: Execution, { say }: Reading): string {
  const known = error_message || (status === 'SUCCESS' ? '' : report_brief || execution_summary);
  if (known) return say(`这次没有全部完成：${known}`, `Not everything was done: ${known}`);
  return say(`完成了。${execution_summary}`, `Done. ${execution_summary}`).trim();
}
