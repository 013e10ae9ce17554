import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLog } from '../observability/index.ts';
import { createSkills } from './create-skills.ts';
import type { SkillContext, SkillMethod } from './port.ts';
import { disagreements, readSkillFolder } from './skill-folder.ts';

function folderOf(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'kith-skills-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
const skill = (name: string, body = 'Do it well.') => `---\nname: ${name}\ndescription: About ${name}\n---\n${body}\n`;
const log = createLog('silent');

describe('cards', () => {
  const method: SkillMethod<{ query: string }> = {
    module: 'demo',
    method: 'find',
    effect: 'read',
    idempotent: true,
    approval: false,
    input: z.strictObject({ query: z.string() }),
    run: async () => ({ status: 'success', summary: '', result: {} }),
  };
  const card = (approval: boolean, example: string) => `---\nwhen: Always.\napproval: ${approval}\n---\nInput: {query}\n${example}\n`;
  const check = (files: Record<string, string>) => {
    const root = folderOf({ 'demo/SKILL.md': skill('demo'), ...files });
    return disagreements(readSkillFolder(join(root, 'demo')), [method]);
  };

  test('fit their methods when each has one, says the same of approval, and shows examples that work', () => {
    expect(check({ 'demo/actions/find.md': card(false, 'e.g. {"query":"x"}') })).toEqual([]);
  });

  test.each([
    [{ 'demo/actions/lose.md': card(false, 'e.g. {"query":"x"}') }, ['demo: actions/lose.md has no method', 'demo.find: no actions/find.md']],
    [{ 'demo/actions/find.md': card(true, 'e.g. {"query":"x"}') }, ['demo.find: the card says approval: true']],
    [{ 'demo/actions/find.md': card(false, 'e.g. {"text":"x"}') }, ['demo.find: not a valid example: {"text":"x"}']],
    [{ 'demo/actions/find.md': card(false, '') }, ['demo.find: the card has no example']],
  ])('do not fit: %j', (files, problems) => {
    expect(check(files)).toEqual(problems);
  });
});

describe('skills of one’s own', () => {
  const root = folderOf({
    'travel-rules/SKILL.md': skill('travel-rules', 'Book economy.'),
    'travel-rules/references/prices.md': 'Cheap.',
    'other-name/SKILL.md': skill('something-else'),
    'headless/SKILL.md': 'No header',
    'empty/README.md': '',
    'calendar/SKILL.md': skill('calendar'),
    '.hidden/SKILL.md': skill('hidden'),
    'notes.txt': 'not a folder',
    '../kith-outside.txt': 'secret',
  });
  symlinkSync(join(root, '../kith-outside.txt'), join(root, 'travel-rules/link.md'));
  const make = () => createSkills({ config: { skills: { folder: root, mcp: {} } }, log });
  const read = async (input: { path?: string }) => {
    const context: Omit<SkillContext, 'sql'> = {
      userId: 'ann',
      user: { user_id: 'ann', is_anonymous: true },
      sessionId: null,
      runId: null,
      now: new Date(),
      timezone: 'UTC',
      language: 'en',
      idempotencyKey: 'x',
      signal: new AbortController().signal,
    };
    return (await make()).call({ module: 'travel-rules', method: 'read', input }, context as SkillContext);
  };

  test('are told of by name and description, and read when they are needed', async () => {
    const skills = await make();
    expect(skills.cards(['travel-rules'])).toContain('## travel-rules\nAbout travel-rules\n### travel-rules.read\n');
    expect(skills.cards()).not.toContain('Book economy');
    expect(await read({})).toMatchObject({
      status: 'success',
      result: { skill: 'travel-rules', text: 'Book economy.', resources: ['references/prices.md'] },
    });
    expect(await read({ path: 'references/prices.md' })).toMatchObject({ result: { text: 'Cheap.' } });
  });

  test.each(['../other-name/SKILL.md', '/etc/passwd', 'link.md', 'references/../SKILL.md', 'nothing'])(
    'give no file but their own: %s',
    async (path) => {
      expect(await read({ path })).toMatchObject({ error: { code: 'RESOURCE_NOT_FOUND', field: 'path' } });
    },
  );

  test('that are wrong are listed with the reason and kept out of prompts', async () => {
    const skills = await make();
    const faults = skills.list().flatMap(({ module, source, error }) => (source === 'folder' && error ? [[module, error]] : []));
    expect(faults).toEqual([
      ['calendar', 'the name "calendar" is taken'],
      ['empty', 'SKILL.md is missing'],
      ['headless', 'SKILL.md: no header between lines of ---'],
      ['other-name', 'SKILL.md: the name "something-else" is not the folder\'s, "other-name"'],
    ]);
    expect(skills.find('calendar', 'create')).toBeDefined();
  });

  test('from a folder that is not there stop the start with the key', async () => {
    const options = { config: { skills: { folder: join(root, 'nowhere'), mcp: {} } }, log };
    await expect(createSkills(options)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});
