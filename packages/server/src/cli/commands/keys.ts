import { KeyInput, KeyRotation, type KeyView } from '@kith/protocol';
import type { z } from 'zod';
import { errors, fieldErrorsOf, isKithError } from '../../errors/index.ts';
import { type Infra, loadMasterKeys, openInfra, rotateMasterKey } from '../../models/index.ts';
import { createLog, createMetrics } from '../../observability/index.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { readSecret } from '../read-secret.ts';
import type { AddCommand } from './index.ts';

export const keysCommand: AddCommand = (program, cli) => {
  const say = words[cli.language];
  const group = program
    .command('keys')
    .description('keys of model vendors; a secret is asked for, or read from standard input');
  group
    .command('add <vendor>')
    .description('add a key')
    .option('--label <label>', 'how it is called', 'default')
    .option('--serves <groups>', 'user groups or businesses it is kept for, comma separated')
    .option('--weight <n>', 'its share of the sessions', Number)
    .option('--rpm <n>', 'requests a minute', Number)
    .option('--tpm <n>', 'tokens a minute', Number)
    .option('--budget <cny>', 'what it may cost in a month, in CNY')
    .action((vendor: string, options: AddOptions) =>
      withInfra(cli, async (infra) => {
        const input = checked(KeyInput, {
          ...keyFields(vendor, options),
          secret: await readSecret(cli.terminal, say.secret),
        });
        await ensureVendor(infra, vendor);
        const key = await infra.keys.create(input);
        cli.print(key, `${say.added} ${lineOf(key)}`);
      }),
    );
  group
    .command('list')
    .description('all keys, by their beginning')
    .action(() =>
      withInfra(cli, async (infra) => {
        const keys = await infra.keys.list();
        cli.print({ keys }, keys.length > 0 ? keys.map(lineOf).join('\n') : say.none);
      }),
    );
  group
    .command('rotate <key>')
    .description('another secret for a key (its id, or vendor/label)')
    .action((name: string) =>
      withInfra(cli, async (infra) => {
        const { id } = await findKey(infra, name);
        const { secret } = checked(KeyRotation, { secret: await readSecret(cli.terminal, say.secret) });
        const key = await infra.keys.rotate(id, secret);
        cli.print(key, `${say.rotated} ${lineOf(key)}`);
      }),
    );
  group
    .command('test <key>')
    .description('ask the vendor whether it accepts a key (its id, or vendor/label)')
    .action((name: string) =>
      withInfra(cli, async (infra) => {
        const key = await findKey(infra, name);
        const result = await infra.testKey(key.id);
        cli.print(result, result.ok ? `${say.good} (${result.latency_ms} ms)` : `${say.bad} ${result.error}`);
        if (!result.ok) cli.exitWith(exitCodes.failed);
      }),
    );
  group
    .command('rotate-master')
    .description('a new master key: all stored keys are wrapped with it')
    .action(() =>
      cli.withDatabase(async ({ sql }) => {
        const masterKeys = loadMasterKeys(cli.config().home, cli.terminal.environment);
        const { rewrapped, unreadable } = await rotateMasterKey(sql, masterKeys);
        cli.print(
          { rewrapped, unreadable },
          `${say.wrapped} ${rewrapped}${unreadable > 0 ? `, ${say.unreadable} ${unreadable}` : ''}`,
        );
        if (unreadable > 0) cli.exitWith(exitCodes.failed);
      }),
    );
};

const words = {
  en: {
    secret: 'The secret (it is not shown):',
    added: 'Added',
    rotated: 'Rotated',
    none: 'There are no keys. `kith keys add deepseek` adds one.',
    good: 'The vendor accepts it',
    bad: 'The vendor does not accept it:',
    wrapped: 'Keys wrapped with the new master key:',
    unreadable: 'not readable:',
  },
  zh: {
    secret: '密钥(不会显示):',
    added: '已添加',
    rotated: '已轮换',
    none: '还没有密钥。用 `kith keys add deepseek` 添加。',
    good: '厂商接受该密钥',
    bad: '厂商不接受该密钥:',
    wrapped: '已用新主密钥重新包装的密钥数:',
    unreadable: '无法读取:',
  },
} as const;

interface AddOptions {
  label: string;
  serves?: string;
  weight?: number;
  rpm?: number;
  tpm?: number;
  budget?: string;
}

function keyFields(vendor: string, options: AddOptions) {
  const { label, serves, weight, rpm, tpm, budget } = options;
  return {
    vendor_id: vendor,
    label,
    ...(serves === undefined ? {} : { serves: serves.split(',').map((group) => group.trim()) }),
    ...(weight === undefined ? {} : { weight }),
    ...(rpm === undefined ? {} : { requests_per_minute: rpm }),
    ...(tpm === undefined ? {} : { tokens_per_minute: tpm }),
    ...(budget === undefined ? {} : { monthly_budget: budget }),
  };
}

/** Never the value: it may be the secret. */
function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [fault] = fieldErrorsOf(parsed.error);
  throw errors.REQUEST_INVALID({ detail: `${fault?.field}: ${fault?.message}` });
}

/** The vendors that Kith knows come into being with their first key. */
async function ensureVendor(infra: Infra, vendor: string): Promise<void> {
  const missing = await infra.vendors.get(vendor).then(
    () => false,
    (error: unknown) => isKithError(error) && error.code === 'VENDOR_NOT_FOUND',
  );
  if (missing) await infra.addKnownVendor(vendor);
}

async function findKey(infra: Infra, name: string): Promise<KeyView> {
  const keys = await infra.keys.list();
  const found = keys.find(({ id, vendor_id, label }) => id === name || `${vendor_id}/${label}` === name);
  if (!found) throw errors.KEY_NOT_FOUND({ detail: `there is no key ${name}; \`kith keys list\` shows them` });
  return found;
}

async function withInfra(cli: Cli, work: (infra: Infra) => Promise<void>): Promise<void> {
  await cli.withDatabase(async (database) => {
    const { environment } = cli.terminal;
    const { infra, close } = await openInfra({
      database,
      config: cli.config(),
      environment,
      log: createLog('silent'),
      metrics: createMetrics(),
    });
    try {
      await work(infra);
    } finally {
      close();
    }
  });
}

const lineOf = (key: KeyView) =>
  [
    `${key.vendor_id}/${key.label}`.padEnd(24),
    key.prefix.padEnd(8),
    (key.serves.join(',') || '*').padEnd(12),
    key.enabled ? 'on ' : 'off',
    `${key.spent_this_month}${key.monthly_budget ? ` / ${key.monthly_budget}` : ''} CNY`,
    key.last_error ?? '',
  ]
    .join('  ')
    .trimEnd();
