import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import type { z } from 'zod';
import { errors } from '../errors/index.ts';
import { Config } from './schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where each variable lands in the Config, and how its text is read. */
const variables: Record<string, { path: readonly string[]; read: (text: string) => unknown }> = {
  KITH_HOME: { path: ['home'], read: String },
  HOST: { path: ['server', 'host'], read: String },
  PORT: { path: ['server', 'port'], read: Number },
  KITH_LOG_LEVEL: { path: ['server', 'logLevel'], read: String },
  KITH_ORIGINS: { path: ['server', 'origins'], read: list },
  KITH_HOSTS: { path: ['server', 'hosts'], read: list },
  DATABASE_URL: { path: ['database', 'url'], read: String },
  REDIS_URL: { path: ['redis', 'url'], read: String },
  KITH_ROLES: { path: ['roles'], read: list },
  KITH_AUTH: { path: ['auth', 'mode'], read: String },
  KITH_JWT_SECRET: { path: ['auth', 'jwt', 'secret'], read: String },
  KITH_JWKS_URL: { path: ['auth', 'jwt', 'jwksUrl'], read: String },
  KITH_JWT_ISSUER: { path: ['auth', 'jwt', 'issuer'], read: String },
  KITH_JWT_AUDIENCE: { path: ['auth', 'jwt', 'audience'], read: String },
};

export const variableNames: readonly string[] = Object.keys(variables);

function list(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

/** Reads `KITH_CONFIG` (or `kith.yaml` in the working folder, if there), then the environment over it. */
export function loadConfig(environment: Environment, workingFolder: string): Config {
  const raw = readConfigFile(environment, workingFolder);
  const origin = new Map<string, string>();
  for (const [name, { path, read }] of Object.entries(variables)) {
    const text = environment[name];
    if (text === undefined || text === '') continue;
    assign(raw, path, read(text));
    origin.set(path.join('.'), name);
  }
  const parsed = Config.safeParse(raw);
  if (!parsed.success) throw errors.CONFIG_INVALID({ detail: explain(parsed.error, origin) });
  const home = parsed.data.home;
  return { ...parsed.data, home: isAbsolute(home) ? home : resolve(workingFolder, home) };
}

function readConfigFile(environment: Environment, workingFolder: string): Record<string, unknown> {
  const named = environment['KITH_CONFIG'];
  const file = resolve(workingFolder, named ?? 'kith.yaml');
  if (!existsSync(file)) {
    if (named) throw errors.CONFIG_INVALID({ detail: `KITH_CONFIG names ${named}, and there is no such file` });
    return {};
  }
  try {
    const document: unknown = parse(readFileSync(file, 'utf8')) ?? {};
    if (typeof document !== 'object' || Array.isArray(document)) {
      throw errors.CONFIG_INVALID({ detail: `${file}: expected a mapping at the top` });
    }
    return { ...document };
  } catch (error) {
    if (error instanceof YAMLParseError) throw errors.CONFIG_INVALID({ detail: `${file}: ${error.message}` });
    throw error;
  }
}

/** Copies along the path, so that the parsed document is never changed in place. */
function assign(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [head, ...rest] = path;
  if (head === undefined) return;
  if (rest.length === 0) {
    target[head] = value;
    return;
  }
  const inner = target[head];
  const copy: Record<string, unknown> = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  target[head] = copy;
  assign(copy, rest, value);
}

/** One line per fault: its path (or the variable it came from) and what was expected. Never the value: it may be a secret. */
function explain(error: z.ZodError, origin: ReadonlyMap<string, string>): string {
  return error.issues
    .flatMap((issue) => {
      const at = issue.path.join('.');
      if (issue.code === 'unrecognized_keys') {
        return issue.keys.map((key) => `${at ? `${at}.` : ''}${key}: unknown key`);
      }
      const variable = origin.get(at);
      return [`${variable ? `${variable} (${at})` : at || 'kith.yaml'}: ${issue.message}`];
    })
    .join('\n');
}
