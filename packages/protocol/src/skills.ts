import { z } from 'zod';

/** GET /api/v1/skills: what an agent can do here, module by module. */
export const SkillDescription = z.object({
  module: z.string(),
  description: z.string(),
  source: z.enum(['built-in', 'folder', 'mcp']),
  methods: z.array(
    z.object({
      method: z.string(),
      name: z.object({ zh: z.string(), en: z.string() }),
      approval: z.boolean(),
      effect: z.enum(['read', 'transactional', 'outside']),
      card: z.string(),
    }),
  ),
  /** Why it cannot be used now, if so. */
  error: z.string().optional(),
});
export type SkillDescription = z.infer<typeof SkillDescription>;

export const SkillList = z.object({ skills: z.array(SkillDescription) });
export type SkillList = z.infer<typeof SkillList>;
