import { z } from 'zod';
import { Instant, Json, JsonObject } from './json.ts';

/** Files of a user: uploaded once, read into documents, tables or metadata, and shared by the turns of a session. */

export const FileKind = z.enum(['document', 'table', 'other']);
export type FileKind = z.infer<typeof FileKind>;

/** `stored`: kept, not read yet. `failed`: kept, and `error` says why it could not be read. */
export const FileStatus = z.enum(['stored', 'processing', 'ready', 'failed']);
export type FileStatus = z.infer<typeof FileStatus>;

/** Why a file could not be read, in the words of the person who sent it. */
export const FILE_ERRORS = {
  FILE_BROKEN: { zh: '文件已损坏或格式不正确', en: 'The file is broken, or not what its type says' },
  FILE_TYPE_MISMATCH: { zh: '文件内容与扩展名不符', en: 'The content does not fit the name' },
  FILE_ENCRYPTED: { zh: '文件有密码保护', en: 'The file is protected by a password' },
  FILE_UNSAFE: {
    zh: '文件包含不被接受的内容（宏或实体声明）',
    en: 'The file holds what is not accepted (macros, entities)',
  },
  FILE_TOO_MANY_PAGES: { zh: '页数过多', en: 'The file has too many pages' },
  FILE_TOO_MANY_CELLS: { zh: '单元格过多', en: 'The file has too many cells' },
  FILE_TOO_LONG: { zh: '文本过长', en: 'The text is too long' },
  FILE_EXPANDS_TOO_MUCH: { zh: '解压后过大', en: 'The file expands too much' },
  FILE_TIMED_OUT: { zh: '处理超时', en: 'Reading the file took too long' },
  FILE_OUT_OF_MEMORY: { zh: '处理所需内存过多', en: 'Reading the file took too much memory' },
} as const satisfies Record<string, { zh: string; en: string }>;
export const FileErrorCode = z.enum(
  Object.keys(FILE_ERRORS) as [keyof typeof FILE_ERRORS, ...(keyof typeof FILE_ERRORS)[]],
);
export type FileErrorCode = z.infer<typeof FileErrorCode>;
export const FileError = z.object({ code: FileErrorCode, message: z.string() });
export type FileError = z.infer<typeof FileError>;

export const DocumentSummary = z.object({
  kind: z.literal('document'),
  title: z.string().optional(),
  pages: z.int().nonnegative(),
  characters: z.int().nonnegative(),
  /** Headings, in order; only the first ones of a long document. */
  sections: z.array(z.string()),
  /** How it begins. */
  excerpt: z.string(),
});
export type DocumentSummary = z.infer<typeof DocumentSummary>;

export const SheetSummary = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  row_count: z.int().nonnegative(),
  sample_rows: z.array(z.array(Json)),
});
export type SheetSummary = z.infer<typeof SheetSummary>;
export const TableSummary = z.object({ kind: z.literal('table'), sheets: z.array(SheetSummary) });
export type TableSummary = z.infer<typeof TableSummary>;

export const OtherSummary = z.object({ kind: z.literal('other'), metadata: JsonObject });
export type OtherSummary = z.infer<typeof OtherSummary>;

export const FileSummary = z.discriminatedUnion('kind', [DocumentSummary, TableSummary, OtherSummary]);
export type FileSummary = z.infer<typeof FileSummary>;

export const FileInfo = z.object({
  id: z.uuid(),
  name: z.string(),
  media_type: z.string(),
  kind: FileKind,
  size: z.int().nonnegative(),
  sha256: z.string(),
  status: FileStatus,
  error: FileError.nullable(),
  summary: FileSummary.nullable(),
  created_at: Instant,
});
export type FileInfo = z.infer<typeof FileInfo>;

export const FilePage = z.object({ files: z.array(FileInfo), next_cursor: z.string().nullable() });
export type FilePage = z.infer<typeof FilePage>;

/** Part of a file's text, as it may go into a prompt. */
export const FileText = z.object({
  file_id: z.string(),
  name: z.string(),
  text: z.string(),
  /** The pages (or sheets, by number) the text is from. */
  pages: z.array(z.int()),
  total_pages: z.int(),
  /** Whether more was asked for than fits into one answer. */
  truncated: z.boolean(),
});
export type FileText = z.infer<typeof FileText>;

export const FilePassage = z.object({
  file_id: z.string(),
  name: z.string(),
  page: z.int().nullable(),
  text: z.string(),
  score: z.number(),
});
export type FilePassage = z.infer<typeof FilePassage>;
export const FilePassages = z.object({ count: z.int(), passages: z.array(FilePassage) });
export type FilePassages = z.infer<typeof FilePassages>;
