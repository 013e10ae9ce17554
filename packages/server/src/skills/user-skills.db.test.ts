import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { createLog } from '../observability/index.ts';
import { createSkills } from './create-skills.ts';
import { callerFor } from './test-caller.ts';
import { folderOf, skillFile } from './test-folder.ts';

const database = await testDatabase();
const log = createLog('silent');

describe('skills of one’s own', () => {
  const root = folderOf({
    'travel-rules/SKILL.md': skillFile('travel-rules', 'Book economy.'),
    'travel-rules/references/prices.md': 'Cheap.',
    'other-name/SKILL.md': skillFile('something-else'),
    'headless/SKILL.md': 'No header',
    'empty/README.md': '',
    'calendar/SKILL.md': skillFile('calendar'),
    '.hidden/SKILL.md': skillFile('hidden'),
    'notes.txt': 'not a folder',
    '../kith-outside.txt': 'secret',
  });
  symlinkSync(join(root, '../kith-outside.txt'), join(root, 'travel-rules/link.md'));
  symlinkSync(join(root, 'headless'), join(root, 'travel-rules/linked'));
  const make = () => createSkills({ config: { skills: { folder: root, mcp: {} } }, log });
  const read = async (input: { path?: string }) =>
    callerFor(database, await make())({ userId: 'ann' }, 'travel-rules.read', input);

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

  test.each([
    '../other-name/SKILL.md',
    '/etc/passwd',
    'link.md',
    'linked/SKILL.md',
    'references/../SKILL.md',
    'nothing',
  ])('give no file but their own: %s', async (path) => {
    expect(await read({ path })).toMatchObject({ error: { code: 'RESOURCE_NOT_FOUND', field: 'path' } });
  });

  test('that are wrong are listed with the reason and kept out of prompts', async () => {
    const skills = await make();
    const faults = skills
      .list()
      .flatMap(({ module, source, error }) => (source === 'folder' && error ? [[module, error]] : []));
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
