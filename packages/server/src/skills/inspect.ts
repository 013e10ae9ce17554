import type { Config } from '../config/index.ts';
import type { Log } from '../observability/index.ts';
import { createSkills } from './create-skills.ts';
import type { SkillInfo } from './port.ts';

/** All skills of a configuration as they are now, MCP servers asked. Nothing is called, so no room is needed behind them. */
export async function inspectSkills(config: Pick<Config, 'skills'>, log: Log): Promise<SkillInfo[]> {
  const unused = () => Promise.reject(new Error('skills are only looked at here'));
  const skills = await createSkills({
    config,
    log,
    memory: { learn: unused, search: unused, forget: unused },
    files: { read: unused, search: unused },
  });
  try {
    return skills.list();
  } finally {
    await skills.close();
  }
}
