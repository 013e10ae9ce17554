import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { SkillMethod } from './port.ts';
import { disagreements, readSkillFolder } from './skill-folder.ts';
import { folderOf, skillFile } from './test-folder.ts';

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
  const card = (approval: boolean, example: string) =>
    `---\nwhen: Always.\napproval: ${approval}\n---\nInput: {query}\n${example}\n`;
  const check = (files: Record<string, string>) => {
    const root = folderOf({ 'demo/SKILL.md': skillFile('demo'), ...files });
    return disagreements(readSkillFolder(join(root, 'demo')), [method]);
  };

  test('fit their methods when each has one, says the same of approval, and shows examples that work', () => {
    expect(check({ 'demo/actions/find.md': card(false, 'e.g. {"query":"x"}') })).toEqual([]);
  });

  test.each([
    [
      { 'demo/actions/lose.md': card(false, 'e.g. {"query":"x"}') },
      ['demo: actions/lose.md has no method', 'demo.find: no actions/find.md'],
    ],
    [{ 'demo/actions/find.md': card(true, 'e.g. {"query":"x"}') }, ['demo.find: the card says approval: true']],
    [{ 'demo/actions/find.md': card(false, 'e.g. {"text":"x"}') }, ['demo.find: not a valid example: {"text":"x"}']],
    [{ 'demo/actions/find.md': card(false, '') }, ['demo.find: the card has no example']],
  ])('do not fit: %j', (files, problems) => {
    expect(check(files)).toEqual(problems);
  });
});
