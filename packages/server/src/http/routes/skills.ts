import { SkillDescription, SkillList } from '@kith/protocol';
import { z } from 'zod';
import { errors } from '../../errors/index.ts';
import type { Skills } from '../../skills/index.ts';
import type { Routes } from '../app.ts';

const tags = ['skills'];
const params = z.strictObject({ module: z.string().max(200) });

/** What an agent can do here. */
export function skillRoutes({ skills }: { skills: Pick<Skills, 'list'> }): Routes {
  return async (app) => {
    app.get(
      '/api/v1/skills',
      { schema: { tags, summary: 'Skills with their methods and cards', response: { 200: SkillList } } },
      async () => ({ skills: skills.list() }),
    );
    app.get(
      '/api/v1/skills/:module',
      { schema: { tags, summary: 'One skill', params, response: { 200: SkillDescription } } },
      async ({ params }) => {
        const skill = skills.list().find(({ module }) => module === params.module);
        if (!skill) throw errors.SKILL_NOT_FOUND({ module: params.module });
        return skill;
      },
    );
  };
}
