import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { runProgram } from '../program.ts';

const root = mkdtempSync(join(tmpdir(), 'kith-cli-skills-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function kith(args: string[], yaml = '', language = 'en') {
  writeFileSync(join(root, 'kith.yaml'), yaml);
  let printed = '';
  const code = await runProgram(args, {
    environment: { LANG: language },
    workingFolder: root,
    input: Readable.from([]),
    write: (text) => {
      printed += text;
    },
    complain: (text) => {
      printed += text;
    },
  });
  return { code, printed };
}

test('`kith skills list` names every skill and method, in the language of the terminal', async () => {
  const english = await kith(['skills', 'list']);
  expect(english.code).toBe(0);
  expect(english.printed).toContain('calendar (built-in)');
  expect(english.printed).toMatch(/ {2}delete +Delete event {2}\(asks first\)/);
  expect((await kith(['skills', 'list'], '', 'zh_CN.UTF-8')).printed).toMatch(/ {2}delete +删除日程 {2}\(需要确认\)/);
});

test('`kith skills check` is content with what ships, and fails on a folder or server that cannot be used', async () => {
  expect(await kith(['--json', 'skills', 'check'])).toMatchObject({
    code: 0,
    printed: expect.stringContaining('"ok":true'),
  });
  mkdirSync(join(root, 'mine/broken'), { recursive: true });
  const faulty = await kith(
    ['skills', 'check'],
    `skills:\n  folder: ${join(root, 'mine')}\n  mcp:\n    gone: {command: /no/such/program, timeoutSeconds: 1}\n`,
  );
  expect(faulty.code).toBe(1);
  expect(faulty.printed).toContain('ok      calendar');
  expect(faulty.printed).toContain('failed  broken: SKILL.md is missing');
  expect(faulty.printed).toContain('failed  mcp.gone: it could not be reached (ENOENT)');
});
