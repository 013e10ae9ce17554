import { canonicalToolName, displayToolName, type OrganizationResult } from '@kith/protocol';
import { z } from 'zod';
import type { Reading } from '../language/reading.ts';
import type { Prompt } from '../prompt/prompt.ts';
import type { Table, Told } from '../reports/report.ts';
import { reportFor } from '../reports/table.ts';
import type { ReportedCall } from './finish.ts';
import type { Interpretation } from './interpret.ts';

const Material = z.looseObject({ tool: z.string(), result: z.unknown().optional(), summary: z.string().optional() });
type Material = z.infer<typeof Material>;

const Call = z.looseObject({
  tool: z.string(),
  input: z.record(z.string(), z.unknown()).default({}),
  status: z.enum(['success', 'partial', 'failed', 'rejected']).default('success'),
  shown: z.boolean().default(true),
  about: z.record(z.string(), z.unknown()).default({}),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
const Execution = z.looseObject({
  status: z.string().default('SUCCESS'),
  execution_summary: z.string().default(''),
  report_brief: z.string().default(''),
  error_message: z.string().nullish(),
  execution_data: z
    .looseObject({ calls: z.array(Call).optional(), notes: z.array(z.string()).default([]) })
    .catch({ notes: [] })
    .default({ notes: [] }),
});
type Execution = z.infer<typeof Execution>;

/** The organization stage: what was done, told in the user's language, in the form that was asked for. */
export function organize(prompt: Prompt, { form }: Interpretation, reading: Reading): OrganizationResult {
  const execution = Execution.catch(Execution.parse({})).parse(prompt.sections.EXECUTION ?? {});
  const material = z
    .array(Material)
    .catch([])
    .parse(prompt.sections.MATERIAL ?? []);
  const calls = execution.execution_data.calls ?? material.map(unplanned);
  const told = tell(calls, material, reading);
  const text = put(form, told, execution, prompt.message, reading);
  const actions = suggestions(calls, reading);
  return { assistant_text: text, response_metadata: actions.length > 0 ? { suggested_actions: actions } : {} };
}

/** Material of a run that another planner led, or that a limit cut short. */
const unplanned = ({ tool }: Material): ReportedCall => ({
  tool: canonicalToolName(tool),
  input: {},
  status: 'success',
  shown: true,
  about: {},
});

/** Calls of one tool and its material stand in the same order. Calls that failed left none. */
function tell(calls: readonly ReportedCall[], material: readonly Material[], reading: Reading): Told[] {
  const left = material.filter((one) => statusOf(one.result) !== 'failure');
  return calls.flatMap((call) => {
    if (call.status === 'failed' || call.status === 'rejected') return [{ text: trouble(call, reading) }];
    const at = left.findIndex((one) => canonicalToolName(one.tool) === call.tool);
    const own = at < 0 ? undefined : left.splice(at, 1)[0];
    return call.shown ? [reportFor(call.tool)(call, unwrapped(own?.result), reading)] : [];
  });
}

function statusOf(result: unknown): string | undefined {
  return z.looseObject({ status: z.string() }).safeParse(result).data?.status;
}

/** The result may come in the envelope of its tool message. */
function unwrapped(result: unknown): unknown {
  const envelope = z.looseObject({ status: z.enum(['success', 'partial']), result: z.unknown() }).safeParse(result);
  return envelope.success && 'result' in envelope.data ? envelope.data.result : result;
}

function trouble({ tool, error, status }: ReportedCall, { say, language }: Reading): string {
  const name = displayToolName(tool, language);
  if (status === 'rejected') {
    return say(`好的，按你的决定，没有执行「${name}」。`, `All right: as you decided, "${name}" was not carried out.`);
  }
  const why = error?.message || error?.code || '';
  return say(`「${name}」没有成功${why ? `：${why}` : ''}。`, `"${name}" did not succeed${why ? `: ${why}` : ''}.`);
}

function put(
  form: Interpretation['form'],
  told: readonly Told[],
  execution: Execution,
  message: string,
  reading: Reading,
): string {
  const notes = execution.execution_data.notes;
  const parts = [...told.map(({ text }) => text), ...notes].filter(Boolean);
  const table = told.flatMap((one) => (one.table ? [markdown(one.table)] : []));
  const plain = parts.length > 0 ? parts : [fallback(execution, reading)];
  if (form === 'table' && table.length > 0) return [...table, ...notes].join('\n\n');
  return form === 'document' ? written(told, plain, message, reading) : plain.join('\n\n');
}

/** A document: what was found in a line each, then all of it. */
function written(told: readonly Told[], plain: readonly string[], message: string, { say }: Reading): string {
  const title = [...message.replace(/\s+/g, ' ').trim()].slice(0, 60).join('');
  const summary = plain.map((part) => `- ${part.split('\n', 1)[0]}`).join('\n');
  const details = plain.map((part) => {
    const table = told.find((one) => one.text === part)?.table;
    return table ? markdown(table) : part;
  });
  const remark = say(
    '> 由内置模拟器根据日程、记忆和文件整理，未使用真实模型。',
    '> Put together by the built-in simulator from calendar, memory and files; no real model was used.',
  );
  const [summaryTitle, detailsTitle] = [say('概述', 'Summary'), say('详情', 'Details')];
  return [`# ${title}`, remark, `## ${summaryTitle}`, summary, `## ${detailsTitle}`, ...details].join('\n\n');
}

function fallback({ status, error_message, report_brief, execution_summary }: Execution, { say }: Reading): string {
  const known = error_message || (status === 'SUCCESS' ? '' : report_brief || execution_summary);
  if (known) return say(`这次没有全部完成：${known}`, `Not everything was done: ${known}`);
  return execution_summary
    ? say(`完成了。${execution_summary}`, `Done. ${execution_summary}`)
    : say('完成了。', 'Done.');
}

function markdown({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\s*\n\s*/g, ' ')).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** What one might want next, by what was just done. */
function suggestions(calls: readonly ReportedCall[], { say }: Reading): { title: string; message: string }[] {
  const last = calls.findLast((call) => call.shown && call.status === 'success')?.tool;
  if (last === 'calendar.read')
    return [
      {
        title: say('下周日程', 'Next week'),
        message: say('帮我查一下我下周的日程', "What's on my calendar next week?"),
      },
    ];
  if (last === 'calendar.create' || last === 'calendar.update') {
    return [
      {
        title: say('查看日程', 'Show calendar'),
        message: say('帮我查一下我本周的日程', "What's on my calendar this week?"),
      },
    ];
  }
  if (last === 'memory.update')
    return [
      { title: say('你知道我什么', 'What you know'), message: say('你知道我什么？', 'What do you know about me?') },
    ];
  return [];
}
