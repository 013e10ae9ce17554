import { MemoryKind, UserMemoryContent, WorkProfileContent } from '@kith/protocol';
import { z } from 'zod';
import { line } from '../text.ts';

export const UpdateInput = z
  .strictObject({ user_memory: UserMemoryContent.optional(), work_profile: WorkProfileContent.optional() })
  .refine(({ user_memory, work_profile }) => user_memory !== undefined || work_profile !== undefined, {
    error: 'expected user_memory or work_profile',
  });
export type UpdateInput = z.infer<typeof UpdateInput>;

export const SearchInput = z.strictObject({ query: line(500) });
export const ForgetInput = z.strictObject({ memory_id: z.string().min(1).max(80) });

export const Updated = z.strictObject({
  status: z.literal('updated'),
  memory_ids: z.array(z.string()),
  count: z.int(),
});
export const Found = z.strictObject({
  count: z.int(),
  memories: z.array(
    z.strictObject({ memory_id: z.string(), kind: z.enum([...MemoryKind.options, 'turn']), content: z.string() }),
  ),
});
export const Forgotten = z.strictObject({
  memory_id: z.string(),
  status: z.literal('forgotten'),
  count: z.int(),
});
