import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadConfig } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'kith-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
function yaml(text: string): { KITH_CONFIG: string } {
  files += 1;
  const file = join(folder, `${files}.yaml`);
  writeFileSync(file, text);
  return { KITH_CONFIG: file };
}
const load = (environment: Record<string, string>) => loadConfig(environment, folder);
function refusal(environment: Record<string, string>): string {
  try {
    load(environment);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'accepted';
}

test('nothing configured is one machine, everything in one process, this machine only', () => {
  expect(load({})).toMatchObject({
    home: join(folder, '.kith'),
    roles: ['api', 'worker', 'scheduler'],
    server: { host: '127.0.0.1', port: 7070, origins: [] },
    auth: { mode: 'dev' },
    database: { poolSize: 10 },
  });
});

test('kith.yaml of the working folder is read, and the environment stands over it', () => {
  writeFileSync(join(folder, 'kith.yaml'), 'server:\n  port: 8000\n  logLevel: warn\n');
  expect(load({ PORT: '9000' }).server).toMatchObject({ port: 9000, logLevel: 'warn' });
  rmSync(join(folder, 'kith.yaml'));
});

test('an unknown key stops the start with its path', () => {
  expect(refusal(yaml('server:\n  prot: 1\nmodels:\n  simulator: {speed: 9}\nextra: true\n'))).toBe(
    ['server.prot: unknown key', 'models.simulator.speed: unknown key', 'extra: unknown key'].join('\n'),
  );
});

test('a bad value stops the start with its path and what was expected', () => {
  expect(refusal(yaml('server:\n  port: seventy\n'))).toMatch(/^server\.port: .*expected number/i);
  expect(refusal(yaml('roles: [api, cook]\n'))).toMatch(/^roles\.1: .*"api"\|"worker"\|"scheduler"/);
});

test('a bad variable is named, with the key that it fills', () => {
  expect(refusal({ PORT: 'seventy' })).toMatch(/^PORT \(server\.port\): .*expected number/i);
  expect(refusal({ KITH_AUTH: 'none' })).toMatch(/^KITH_AUTH \(auth\.mode\): /);
});

test('jwt auth without a key to check tokens with does not start, nor with two', () => {
  const secret = 'a secret that is long enough for it';
  expect(refusal({ KITH_AUTH: 'jwt' })).toContain('auth.jwt');
  expect(refusal({ KITH_AUTH: 'jwt', KITH_JWT_SECRET: secret, KITH_JWKS_URL: 'https://id.example/jwks' })).toContain(
    'not both',
  );
  expect(load({ KITH_AUTH: 'jwt', KITH_JWT_SECRET: secret }).auth.mode).toBe('jwt');
});

test('a refusal never repeats a value: it may be a secret', () => {
  const message = [
    refusal({ KITH_AUTH: 'jwt', KITH_JWT_SECRET: 'hunter2' }),
    refusal({ DATABASE_URL: 'mysql://root:hunter2@host/db' }),
    refusal(yaml('redis:\n  url: hunter2\n')),
  ].join('\n');
  expect(message).not.toContain('accepted');
  expect(message).not.toContain('hunter2');
});

test('a file that is named and not there, that is no YAML, or that is a list, stops the start', () => {
  expect(refusal({ KITH_CONFIG: 'nowhere.yaml' })).toContain('nowhere.yaml');
  expect(refusal(yaml('server: [\n'))).toContain('.yaml');
  expect(refusal(yaml('- a\n- b\n'))).toContain('expected a mapping');
});

test('lists are written with commas, and an empty variable counts as absent', () => {
  const { roles, server } = load({
    KITH_ROLES: 'api, worker',
    KITH_ORIGINS: 'https://a.example,https://b.example',
    PORT: '',
  });
  expect(roles).toEqual(['api', 'worker']);
  expect(server).toMatchObject({ origins: ['https://a.example', 'https://b.example'], port: 7070 });
});
