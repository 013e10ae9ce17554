import { createLog } from '../../observability/index.ts';
import { inspectSkills, type SkillInfo } from '../../skills/index.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import type { AddCommand } from './index.ts';

export const skillsCommand: AddCommand = (program, cli) => {
  const group = program
    .command('skills')
    .description('what the agent can do: built in, of your own, and from MCP servers');
  group
    .command('list')
    .description('all skills with their methods')
    .action(async () => {
      const skills = await inspect(cli);
      cli.print({ skills }, skills.map((skill) => describe(skill, cli.language)).join('\n'));
    });
  group
    .command('check')
    .description('look for skill folders and MCP servers that cannot be used')
    .action(async () => {
      const skills = await inspect(cli);
      const faulty = skills.filter(({ error }) => error !== undefined);
      const lines = skills.map(({ module, error }) =>
        error === undefined ? `ok      ${module}` : `failed  ${module}: ${error}`,
      );
      cli.print(
        { ok: faulty.length === 0, skills: skills.map(({ module, error = null }) => ({ module, error })) },
        lines.join('\n'),
      );
      if (faulty.length > 0) cli.exitWith(exitCodes.failed);
    });
};

const inspect = (cli: Cli): Promise<SkillInfo[]> => inspectSkills(cli.config(), createLog('silent'));

function describe({ module, source, description, methods, error }: SkillInfo, language: Cli['language']): string {
  const head = `${module} (${source})  ${description}`;
  const asks = { zh: '需要确认', en: 'asks first' }[language];
  const lines = methods.map(
    ({ method, name, approval }) => `  ${method.padEnd(16)}${name[language]}${approval ? `  (${asks})` : ''}`,
  );
  return [head, ...lines, ...(error ? [`  ! ${error}`] : [])].join('\n');
}
