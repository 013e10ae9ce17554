import { z } from 'zod';
import { Json, JsonObject } from './json.ts';
import { UiHints } from './ui-schema.ts';

export const ToolStatus = z.enum(['success', 'failure', 'partial']);
export type ToolStatus = z.infer<typeof ToolStatus>;

/** The one call form of skills: `project_cli {module, method, input}`. */
export const ProjectCliArgs = z.object({
  module: z.string().min(1),
  method: z.string().min(1),
  input: JsonObject.default({}),
  todo_id: z.string().optional(),
});
export type ProjectCliArgs = z.infer<typeof ProjectCliArgs>;

/** Why a tool failed, in words the model can act on: `field` names what to mend. */
export const ToolError = z.object({ code: z.string(), message: z.string(), field: z.string().optional() });
export type ToolError = z.infer<typeof ToolError>;

/** What every tool gives back: compact facts, and hints for a card. */
export const ToolOutput = z.object({
  status: ToolStatus,
  summary: z.string(),
  result: z.union([JsonObject, z.array(Json)]).default({}),
  error: ToolError.nullish(),
  ui_hints: UiHints.optional(),
});
export type ToolOutput = z.infer<typeof ToolOutput>;

/** Names as people see them. Aliases: `calendar_read` means `calendar.read`. */
export const TOOL_DISPLAY_NAMES: Readonly<Record<string, { zh: string; en: string }>> = {
  'calendar.read': { zh: '读取日程', en: 'Read calendar' },
  'calendar.create': { zh: '创建日程', en: 'Create event' },
  'calendar.update': { zh: '更新日程', en: 'Update event' },
  'calendar.delete': { zh: '删除日程', en: 'Delete event' },
  'calendar.share': { zh: '邀请参与者', en: 'Invite participants' },
  'calendar.accept_invite': { zh: '接受邀请', en: 'Accept invitation' },
  'calendar.reject_invite': { zh: '拒绝邀请', en: 'Decline invitation' },
  'contacts.read': { zh: '读取联系人', en: 'Read contacts' },
  'memory.update': { zh: '更新记忆', en: 'Update memory' },
  'memory.search': { zh: '搜索记忆', en: 'Search memory' },
  'memory.forget': { zh: '忘记', en: 'Forget' },
  'files.read': { zh: '读取文件', en: 'Read file' },
  'files.search': { zh: '搜索文件', en: 'Search files' },
  plan: { zh: '制定计划', en: 'Make a plan' },
  'output.reply': { zh: '回复', en: 'Reply' },
  'output.document': { zh: '生成文档', en: 'Write document' },
  'output.table': { zh: '生成表格', en: 'Make table' },
};

/** `calendar_read` and `calendar.read` are one tool; an unknown name stays as it is. */
export function canonicalToolName(name: string): string {
  if (name in TOOL_DISPLAY_NAMES) return name;
  const dotted = name.replace('_', '.');
  return dotted in TOOL_DISPLAY_NAMES ? dotted : name;
}

export function displayToolName(name: string, language: string): string {
  const names = TOOL_DISPLAY_NAMES[canonicalToolName(name)];
  if (!names) return name;
  return language.startsWith('zh') ? names.zh : names.en;
}
