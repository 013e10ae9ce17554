import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Automation, AutomationList } from '@kith/protocol';
import { afterAll, expect, test } from 'vitest';
import { runProgram } from '../program.ts';

const home = mkdtempSync(join(tmpdir(), 'kith-automations-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** One command line, on a folder of its own: its exit code, and what it prints. */
async function kith(...args: string[]) {
  let output = '';
  let complaints = '';
  const code = await runProgram(['automations', ...args], {
    environment: { KITH_HOME: home, PORT: '1' },
    workingFolder: home,
    input: Readable.from([]),
    write: (text) => {
      output += text;
    },
    complain: (text) => {
      complaints += text;
    },
  });
  return { code, output, complaints };
}

test('automations are added, listed, paused and removed, without a server', async () => {
  const user = ['--user', 'zhangsan'];
  expect((await kith('list', ...user)).output).toContain('There are no automations');
  const added = await kith(
    'add',
    '早报',
    '总结今天的日程',
    '--cron',
    '0 9 * * 1-5',
    '--skills',
    'calendar',
    ...user,
    '--json',
  );
  const { id } = Automation.parse(JSON.parse(added.output));
  const listed = AutomationList.parse(JSON.parse((await kith('list', ...user, '--json')).output));
  expect(listed.automations).toMatchObject([
    { id, name: '早报', timezone: 'Asia/Shanghai', config: { enabled_skills: ['calendar'] } },
  ]);
  expect((await kith('pause', id, ...user)).output).toMatch(/paused.*早报/);
  expect((await kith('show', id, '--user', 'lisi')).code).not.toBe(0);
  expect((await kith('remove', id, ...user)).code).toBe(0);
  expect((await kith('list', ...user)).output).toContain('There are no automations');
}, 120_000);

test('what makes no sense is said, and is no crash', async () => {
  const nonsense = await kith('add', 'x', 'y', '--cron', 'whenever');
  expect(nonsense.code).not.toBe(0);
  expect(nonsense.complaints).toMatch(/^kith: /);
  expect((await kith('add', 'x', 'y')).complaints).toContain('schedule');
  expect((await kith('add', 'x', 'y', '--every', 'soon')).complaints).toContain('90m');
}, 120_000);

test('running one needs a server, and says so', async () => {
  const { code, complaints } = await kith('run', '00000000-0000-4000-8000-000000000000');
  expect(code).not.toBe(0);
  expect(complaints).toContain('kith start');
});
