import { z } from 'zod';
import { Instant } from './json.ts';
import { MemoryKind } from './stages.ts';

/** Memories as their user reads, corrects, exports and forgets them. */

/** What is learned, and the turns themselves, kept verbatim. */
export const StoredMemoryKind = z.enum([...MemoryKind.options, 'turn']);
export type StoredMemoryKind = z.infer<typeof StoredMemoryKind>;

/** Where a memory comes from: a turn of a thread, or the user's own hand. */
export const MemoryOrigin = z.object({
  thread_id: z.string().optional(),
  run_id: z.string().optional(),
  turn: z.int().optional(),
  by: z.literal('user').optional(),
});
export type MemoryOrigin = z.infer<typeof MemoryOrigin>;

export const StoredMemory = z.object({
  id: z.uuid(),
  kind: StoredMemoryKind,
  content: z.string(),
  source: MemoryOrigin,
  /** True from here … */
  valid_from: Instant,
  /** … until here; null while it holds. */
  valid_to: Instant.nullable(),
  /** The memory that took its place. */
  superseded_by: z.uuid().nullable(),
  uses: z.int().nonnegative(),
  last_used_at: Instant.nullable(),
  created_at: Instant,
});
export type StoredMemory = z.infer<typeof StoredMemory>;

/** A memory that a search found: the score is between 0 and 1 and compares within one search only. */
export const FoundMemory = StoredMemory.extend({ score: z.number() });
export type FoundMemory = z.infer<typeof FoundMemory>;

const content = z.string().trim().min(1).max(2000);

/** POST: a memory by hand. */
export const MemoryInput = z.strictObject({ kind: MemoryKind.default('fact'), content });
export type MemoryInput = z.infer<typeof MemoryInput>;

/** PATCH: what is true instead. The old memory stays in the history, superseded. */
export const MemoryCorrection = z
  .strictObject({ kind: MemoryKind.optional(), content: content.optional() })
  .refine(({ kind, content }) => kind !== undefined || content !== undefined, {
    error: 'expected at least one field',
  });
export type MemoryCorrection = z.infer<typeof MemoryCorrection>;

/** With `q` the best matches, best first, in one page; without it everything, newest first. */
export const MemoryQuery = z.strictObject({
  kind: StoredMemoryKind.optional(),
  q: z.string().trim().min(1).max(2000).optional(),
  /** `live`: what holds now. `all`: what was superseded too. */
  status: z.enum(['live', 'all']).default('live'),
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});
export type MemoryQuery = z.infer<typeof MemoryQuery>;

export const MemoryPage = z.object({
  memories: z.array(StoredMemory.extend({ score: z.number().optional() })),
  next_cursor: z.string().nullable(),
});
export type MemoryPage = z.infer<typeof MemoryPage>;

/** Everything that is remembered of a user, superseded memories and verbatim turns included. */
export const MemoryExport = z.object({ user_id: z.string(), exported_at: Instant, memories: z.array(StoredMemory) });
export type MemoryExport = z.infer<typeof MemoryExport>;
