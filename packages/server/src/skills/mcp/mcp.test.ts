import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { JsonObject, ToolOutput, UserAgentContext } from '@kith/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { Config } from '../../config/index.ts';
import { createLog } from '../../observability/index.ts';
import { createSkills } from '../create-skills.ts';
import type { CallContext, Skills } from '../port.ts';

const program = join(import.meta.dirname, 'test-server.ts');
const stdio = { command: process.execPath, args: [program], timeoutSeconds: 10 };
const log = createLog('silent');
const anyone: UserAgentContext = { user_id: 'ann', is_anonymous: true };

type Closing = (() => Promise<unknown>)[];
const open: Closing = [];
const closeAll = async (closing: Closing) => void (await Promise.all(closing.splice(0).map((close) => close())));
afterEach(() => closeAll(open));

async function skillsWith(mcp: JsonObject, closing = open, patienceMs = 10_000): Promise<Skills> {
  const config = Config.parse({ skills: { mcp } });
  const skills = await createSkills({ config, log, patienceMs });
  closing.push(() => skills.close());
  return skills;
}

function call(skills: Skills, method: string, input: JsonObject = {}, signal?: AbortSignal): Promise<ToolOutput> {
  const context: CallContext = {
    userId: 'ann',
    user: anyone,
    sessionId: null,
    runId: null,
    now: new Date(),
    timezone: 'UTC',
    language: 'en',
    idempotencyKey: 'key-1',
    signal: signal ?? new AbortController().signal,
  };
  return skills.call({ module: 'mcp.lab', method, input }, context);
}

async function httpServer(closing = open, port = 0): Promise<{ port: number; child: ChildProcess }> {
  const child = spawn(process.execPath, [program, 'http', String(port)], { stdio: ['ignore', 'pipe', 'inherit'] });
  closing.push(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { port: Number(line), child };
}
const overHttp = (port: number) => ({
  lab: { url: `http://127.0.0.1:${port}/mcp`, headers: { 'x-secret': 'open sesame' }, timeoutSeconds: 5 },
});

describe.each(['stdio', 'http'])('over %s', (kind) => {
  const close: Closing = [];
  let skills: Skills;
  beforeAll(async () => {
    skills = await skillsWith(kind === 'stdio' ? { lab: stdio } : overHttp((await httpServer(close)).port), close);
  });
  afterAll(() => closeAll(close));

  test('tools are methods of mcp.<server>, with a card, and ask first', async () => {
    const module = skills.list().find((skill) => skill.module === 'mcp.lab');
    expect(module).toMatchObject({ source: 'mcp' });
    expect(module?.error).toBeUndefined();
    expect(module?.methods.map(({ method }) => method)).toEqual([
      'echo',
      'seen',
      'wait',
      'fail',
      'huge',
      'crash',
      'odd',
    ]);
    expect(module?.methods[0]).toEqual({
      method: 'echo',
      name: { zh: 'Echo', en: 'Echo' },
      approval: true,
      effect: 'outside',
      card: 'Says it again.\nInput: {text: string (what to say), times?: integer}',
    });
    expect(skills.cards(['mcp.*'])).toContain('### mcp.lab.echo [asks]\nSays it again.');
    expect(skills.needsApproval({ module: 'mcp.lab', method: 'echo', input: {} }, anyone)).toBe(true);
  });

  test('a call gives its text and its structured answer, made fit to be kept', async () => {
    const output = await call(skills, 'echo', { text: 'hello' });
    expect(output).toEqual({
      status: 'success',
      summary: 'mcp.lab.echo: hello!',
      result: { content: 'hello!', structured: { said: { text: 'hello' } } },
      error: null,
    });
  });

  test.each([
    [{}, 'text'],
    [{ text: 'x', loud: true }, 'loud'],
    [{ text: 'x', times: 4 }, 'times'],
  ])('the input %j is refused for its %s before anything is sent', async (input, field) => {
    const output = await call(skills, 'echo', input);
    expect(output).toMatchObject({ status: 'failure', error: { code: 'INPUT_INVALID', field } });
  });

  test('a tool’s failure is its own words, and too much is cut', async () => {
    expect(await call(skills, 'fail')).toMatchObject({
      status: 'failure',
      error: { code: 'TOOL_FAILED', message: 'the disk is on fire' },
    });
    const { result } = await call(skills, 'huge');
    expect(result).toMatchObject({ truncated: true });
    expect(JSON.stringify(result).length).toBeLessThan(21_000);
    expect(await call(skills, 'nothing')).toMatchObject({ error: { code: 'METHOD_UNKNOWN', field: 'method' } });
    expect(await call(skills, 'odd', { any: 1 })).toMatchObject({ status: 'success' });
  });

  test('a canceled call ends at once', async () => {
    const controller = new AbortController();
    const waiting = call(skills, 'wait', {}, controller.signal);
    controller.abort();
    expect(await waiting).toMatchObject({ status: 'failure', error: { code: 'CANCELED' } });
    expect(await call(skills, 'echo', { text: 'still here' })).toMatchObject({ status: 'success' });
  });
});

test('a call that takes too long ends with its limit, and says that it may have taken effect', async () => {
  const skills = await skillsWith({ lab: { ...stdio, timeoutSeconds: 1 } });
  await eventually(() => expect(skills.list().at(-1)?.error).toBeUndefined());
  expect(await call(skills, 'wait')).toMatchObject({
    error: { code: 'TIMED_OUT', message: 'mcp.lab.wait did not answer within 1 s; it may have taken effect' },
  });
});

test('the child sees what its configuration names and none of our secrets; the call carries its idempotency key', async () => {
  process.env.KITH_JWT_SECRET = 'do not tell';
  open.push(async () => delete process.env.KITH_JWT_SECRET);
  const skills = await skillsWith({ lab: { ...stdio, env: { LAB_TOKEN: 'yes' } } });
  const { result } = await call(skills, 'seen');
  expect(JSON.stringify(result)).toContain('LAB_TOKEN');
  expect(JSON.stringify(result)).not.toContain('KITH_JWT_SECRET');
  expect(JSON.stringify(result)).toContain('key-1');
});

test('a trusted tool does not ask, an idempotent one may be repeated', async () => {
  const skills = await skillsWith({ lab: { ...stdio, trusted: ['echo'], idempotent: ['seen'] } });
  const needs = (method: string) => skills.needsApproval({ module: 'mcp.lab', method, input: {} }, anyone);
  expect([needs('echo'), needs('seen'), needs('unheard-of')]).toEqual([false, true, true]);
  expect(skills.find('mcp.lab', 'seen')?.idempotent).toBe(true);
  expect(skills.find('mcp.lab', 'echo')?.idempotent).toBe(false);
});

test('a server that crashes in the middle of a call is an unknown outcome, and is started again', async () => {
  const skills = await skillsWith({ lab: stdio });
  expect(await call(skills, 'crash')).toMatchObject({ error: { code: 'OUTCOME_UNKNOWN' } });
  expect(await call(skills, 'echo', { text: 'back' })).toMatchObject({ status: 'success' });
});

test('a server that forgot the session is asked again, and one that comes back is found', async () => {
  const { port, child } = await httpServer();
  const skills = await skillsWith(overHttp(port));
  await fetch(`http://127.0.0.1:${port}/forget`);
  expect(await call(skills, 'echo', { text: 'again' })).toMatchObject({ status: 'success' });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await call(skills, 'echo', { text: 'anyone?' })).toMatchObject({ error: { code: 'SKILL_UNAVAILABLE' } });
  expect(skills.list().at(-1)?.error).toContain('could not be reached');
  await httpServer(open, port);
  await eventually(async () => {
    expect(await call(skills, 'echo', { text: 'there' })).toMatchObject({ status: 'success' });
  });
});

test.each([
  ['a program that is not there', { command: '/no/such/program' }],
  ['a program that is no MCP server', { command: process.execPath, args: ['-e', 'console.log("hi")'] }],
  ['a program that never answers', { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }],
  ['an address where nobody listens', { url: 'http://127.0.0.1:9/mcp' }],
])('%s is a failed tool and not a failed start', async (_, server) => {
  const skills = await skillsWith({ lab: { ...server, timeoutSeconds: 1 } }, open, 500);
  const module = skills.list().find((skill) => skill.module === 'mcp.lab');
  expect(module?.error).toBeTruthy();
  expect(skills.cards()).not.toContain('mcp.lab');
  expect(await call(skills, 'echo', { text: 'x' })).toMatchObject({
    status: 'failure',
    error: { code: 'SKILL_UNAVAILABLE', message: 'mcp.lab cannot be used now' },
  });
});
