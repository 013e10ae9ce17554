import { z } from 'zod';
import type { Files } from '../../files/index.ts';
import { done } from '../output.ts';
import type { SkillMethod } from '../port.ts';
import { line } from '../text.ts';
import { cut, inLanguage } from '../words.ts';

const MOST_PASSAGES = 8;

const ReadInput = z.strictObject({
  file_id: z.string().min(1).max(80),
  /** `"1-3,5"`, or numbers. */
  pages: z
    .union([
      z
        .string()
        .max(200)
        .regex(/^\s*\d{1,5}\s*(-\s*\d{1,5}\s*)?(,\s*\d{1,5}\s*(-\s*\d{1,5}\s*)?)*$/, {
          error: 'expected pages such as 1-3,5',
        }),
      z.array(z.int().min(1)).min(1).max(100),
    ])
    .optional(),
});
const Text = z.strictObject({
  file_id: z.string(),
  name: z.string(),
  text: z.string(),
  pages: z.array(z.int()),
  total_pages: z.int(),
  truncated: z.boolean().optional(),
});
const SearchInput = z.strictObject({ query: line(500) });
const Passages = z.strictObject({
  count: z.int(),
  passages: z.array(
    z.strictObject({ file_id: z.string(), name: z.string(), page: z.int().optional(), text: z.string() }),
  ),
});

/** What the skill needs of the files' room. */
export type FilesRoom = Pick<Files, 'read' | 'search'>;

export function filesMethods(files: FilesRoom): SkillMethod[] {
  return [readFile(files), searchFiles(files)];
}

const readFile = (files: FilesRoom): SkillMethod<z.infer<typeof ReadInput>> => ({
  module: 'files',
  method: 'read',
  effect: 'read',
  idempotent: true,
  approval: false,
  input: ReadInput,
  async run({ file_id, pages }, { userId, sql, language }) {
    const { truncated, ...text } = await files.read(userId, file_id, pages, sql);
    return done(
      Text,
      { ...text, ...(truncated ? { truncated } : {}) },
      { summary: inLanguage({ zh: `已读取 ${text.name}`, en: `Read ${text.name}` }, language) },
    );
  },
});

const searchFiles = (files: FilesRoom): SkillMethod<{ query: string }> => ({
  module: 'files',
  method: 'search',
  effect: 'read',
  idempotent: true,
  approval: false,
  input: SearchInput,
  async run({ query }, { userId, sql, language }) {
    const found = await files.search(userId, query, { limit: MOST_PASSAGES, sql });
    const count = found.length;
    return done(
      Passages,
      {
        count,
        passages: found.map(({ file_id, name, page, text }) => ({ file_id, name, ...(page ? { page } : {}), text })),
      },
      {
        summary: inLanguage({ zh: `找到 ${count} 段`, en: `${count} passages found` }, language),
        hints: {
          kind: 'files.passages',
          title: inLanguage({ zh: `「${cut(query, 40)}」`, en: `"${cut(query, 40)}"` }, language),
          blocks: found.map(({ name, text }) => ({ type: 'text' as const, text: `${name}: ${cut(text, 200)}` })),
          actions: [],
        },
      },
    );
  },
});
