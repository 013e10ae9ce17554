import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Program, startProgram } from '../../test/program.ts';

/** The program as its user has it: a process, its exit code, what it prints. */
const root = mkdtempSync(join(tmpdir(), 'kith-cli-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const home = join(root, 'home');

const kith = (args: string[], environment: Record<string, string> = {}) =>
  startProgram('src/cli/kith.ts', args, { KITH_HOME: home, PORT: '0', KITH_LOG_LEVEL: 'error', ...environment });

const Started = z.object({ url: z.string(), database: z.literal('embedded') });
async function started(program: Program): Promise<string> {
  return Started.parse(JSON.parse(await program.line((line) => line.startsWith('{')))).url;
}

/** Milliseconds that a process has computed for, in all its threads; Linux tells. */
function processorTime(pid = 0): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return ((user ?? 0) + (system ?? 0)) * 10;
}

/** Until it is ready. Other tests run at the same time; the time that they take is not ours, so the processor's time counts too. */
async function timeToStart(): Promise<number> {
  const begun = performance.now();
  const server = kith(['start', '--json']);
  const url = await started(server);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const time = Math.min(performance.now() - begun, processorTime(server.process.pid));
  server.process.kill('SIGINT');
  expect(await server.exited).toBe(0);
  return time;
}

test('a server starts, stops when told to, and starts again within five seconds', async () => {
  const first = kith(['start', '--json']);
  await started(first);
  first.process.kill('SIGTERM');
  expect(await first.exited).toBe(0);

  const times: number[] = [];
  while (times.length < 3 && !times.some((time) => time < 5_000)) times.push(await timeToStart());
  expect(Math.min(...times)).toBeLessThan(5_000);
}, 120_000);

test('while a server runs, commands join it, and a second server is told to go elsewhere', async () => {
  const server = kith(['start', '--json']);
  const url = await started(server);

  const adding = kith(['service-keys', 'add', 'proxy', '--json']);
  const { key, prefix } = z
    .object({ key: z.string(), prefix: z.string() })
    .parse(JSON.parse(await adding.line(() => true)));
  expect(await adding.exited).toBe(0);
  const ask = () =>
    fetch(`${url}/api/v1/users/me/context`, {
      headers: { authorization: `Bearer ${key}`, 'x-on-behalf-of': 'zhangsan' },
    });
  expect(await (await ask()).json()).toMatchObject({ user_id: 'zhangsan' });
  const revoking = kith(['service-keys', 'revoke', prefix]);
  expect(await revoking.exited).toBe(0);
  expect((await ask()).status).toBe(401);

  const second = kith(['start']);
  expect(await second.exited).toBe(4);
  expect(second.complaints()).toContain(`in use by the server with process id ${server.process.pid}`);

  const elsewhere = kith(['start'], { KITH_HOME: join(root, 'other'), PORT: new URL(url).port });
  expect(await elsewhere.exited).toBe(4);
  expect(elsewhere.complaints()).toContain('give this one a port of its own with PORT');

  const doctor = kith(['doctor', '--json'], { PORT: new URL(url).port });
  const report = JSON.parse(await doctor.line(() => true));
  expect(report).toMatchObject({ ok: true });
  expect(await doctor.exited).toBe(0);

  server.process.kill('SIGTERM');
  expect(await server.exited).toBe(0);
}, 120_000);

test.each<[sentence: string, args: string[], environment: Record<string, string>, code: number, said: string]>([
  ['a command that is not there', ['dance'], {}, 2, "unknown command 'dance'"],
  ['an option that is not there', ['start', '--fast'], {}, 2, "unknown option '--fast'"],
  ['a role that is not there', ['start', '--roles', 'cook'], {}, 3, 'roles.0: '],
  ['a bad port', ['start'], { PORT: 'x' }, 3, 'PORT (server.port)'],
  ['dev auth for the whole network', ['start'], { HOST: '0.0.0.0' }, 3, 'dev auth lets everyone in as anyone'],
])('%s ends with a sentence and its exit code', async (_sentence, args, environment, code, said) => {
  const program = kith(args, environment);
  expect(await program.exited).toBe(code);
  expect(program.complaints()).toContain(said);
  expect(program.complaints()).not.toContain('    at ');
});

test('what goes wrong is JSON too where JSON was asked for', async () => {
  const program = kith(['service-keys', 'revoke', 'ksk_nobody', '--json'], { KITH_HOME: join(root, 'alone') });
  expect(await program.exited).toBe(5);
  expect(JSON.parse(program.lines.join(''))).toMatchObject({ error: { code: 'KEY_NOT_FOUND' } });
}, 60_000);

test('the doctor names what is wrong and fails', async () => {
  const file = join(root, 'bad.yaml');
  writeFileSync(file, 'sevrer: {}\n');
  const misspelt = kith(['doctor'], { KITH_CONFIG: file });
  expect(await misspelt.exited).toBe(1);
  expect(misspelt.lines.join('\n')).toContain('✗ configuration  sevrer: unknown key');

  const lonely = kith(['doctor', '--json'], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    REDIS_URL: 'redis://127.0.0.1:9',
    LANG: 'zh_CN.UTF-8',
  });
  expect(await lonely.exited).toBe(1);
  const { checks } = JSON.parse(lonely.lines.join(''));
  expect(checks).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'database', status: 'failed', detail: expect.stringContaining('无法打开') }),
      expect.objectContaining({ name: 'redis', status: 'failed' }),
    ]),
  );
}, 60_000);

test('the launcher runs the same program', async () => {
  const program = startProgram('bin/kith.js', ['--help']);
  expect(await program.exited).toBe(0);
  expect(program.lines.join('\n')).toContain('service-keys');
});
