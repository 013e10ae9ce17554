import type { Reading } from '../language/reading.ts';
import type { Table, Told } from './report.ts';

/** A Markdown table. */
export function markdownTable({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\s*\n\s*/g, ' ')).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

const ASKING =
  /^(?:请|麻烦|帮我|给我|把|将|(?:写|撰写|起草|生成|整理|制作)(?:一?[份篇个])?(?:关于|有关)?|please |export |show me |show |list |give me |(?:write|draft|prepare|make|create|generate) (?:me )?(?:an? )?)+/i;

/** What the document is about: the request, without the asking. */
function headingOf(request: string): string {
  const line = request.replace(/\s+/g, ' ').trim();
  const subject = line.replace(ASKING, '') || line;
  return [...subject.charAt(0).toUpperCase(), ...subject.slice(1)].slice(0, 60).join('');
}

/** A Markdown document: what was found in a line each, then all of it. */
export function document(told: readonly Told[], title: string, { say }: Reading) {
  const summary = told.map(({ text }) => `- ${(text.split('\n', 1)[0] ?? '').replace(/[：:]$/, '')}`).join('\n');
  const details = told.map(({ text, table }) => (table ? markdownTable(table) : text)).join('\n\n');
  const heading = headingOf(title);
  const remark = say(
    '> 由内置模拟器根据日程、记忆和文件整理，未使用真实模型。',
    '> Put together by the built-in simulator from calendar, memory and files; no real model was used.',
  );
  const parts = [
    `# ${heading}`,
    remark,
    `## ${say('概述', 'Summary')}`,
    summary,
    `## ${say('详情', 'Details')}`,
    details,
  ];
  return { text: parts.join('\n\n'), summary, details };
}
