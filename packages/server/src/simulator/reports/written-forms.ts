import type { Reading } from '../language/reading.ts';
import type { Table, Told } from './report.ts';

/** A Markdown table. */
export function markdownTable({ columns, rows }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\s*\n\s*/g, ' ')).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A Markdown document: what was found in a line each, then all of it. */
export function document(told: readonly Told[], title: string, { say }: Reading) {
  const summary = told.map(({ text }) => `- ${(text.split('\n', 1)[0] ?? '').replace(/[：:]$/, '')}`).join('\n');
  const details = told.map(({ text, table }) => (table ? markdownTable(table) : text)).join('\n\n');
  const heading = [...title.replace(/\s+/g, ' ').trim()].slice(0, 60).join('');
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
