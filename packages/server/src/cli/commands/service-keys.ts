import { Option } from 'commander';
import { createServiceKeys, type ServiceKey, type ServiceKeys, type UserRole } from '../../identity/index.ts';
import type { Cli } from '../cli.ts';
import type { AddCommand } from './index.ts';

export const serviceKeysCommand: AddCommand = (program, cli) => {
  const say = words[cli.language];
  const group = program.command('service-keys').description('keys of services that act for users');
  group
    .command('add <label>')
    .description('make a key; it is shown once')
    .addOption(
      new Option('--role <role>', 'what it may do when it acts for itself').choices(['user', 'admin']).default('user'),
    )
    .action((label: string, { role }: { role: UserRole }) =>
      withKeys(cli, async (keys) => {
        const issued = await keys.add(label, role);
        cli.print(issued, `${issued.key}\n\n${say.once}`);
      }),
    );
  group
    .command('list')
    .description('all keys, newest first')
    .action(() =>
      withKeys(cli, async (keys) => {
        const all = await keys.list();
        cli.print({ keys: all }, all.length > 0 ? all.map(lineOf).join('\n') : say.none);
      }),
    );
  group
    .command('revoke <id-or-prefix>')
    .description('from now on the key is refused')
    .action((idOrPrefix: string) =>
      withKeys(cli, async (keys) => {
        const revoked = await keys.revoke(idOrPrefix);
        cli.print(revoked, `${say.revoked} ${revoked.prefix}… (${revoked.label})`);
      }),
    );
};

const words = {
  en: {
    once: 'Keep it now: only its hash is stored. Use it as `Authorization: Bearer <key>`, with `X-On-Behalf-Of: <user id>` to act for a user.',
    none: 'There are no service keys. `kith service-keys add <label>` makes one.',
    revoked: 'Revoked',
  },
  zh: {
    once: '请立即保存:系统只存其哈希。用法:`Authorization: Bearer <key>`,代表用户时加 `X-On-Behalf-Of: <用户 id>`。',
    none: '还没有服务密钥。用 `kith service-keys add <label>` 创建。',
    revoked: '已吊销',
  },
} as const;

const withKeys = (cli: Cli, work: (keys: ServiceKeys) => Promise<void>) =>
  cli.withDatabase((database) => work(createServiceKeys(database)));

const lineOf = (key: ServiceKey) =>
  [
    key.prefix.padEnd(14),
    key.label.padEnd(20),
    key.role.padEnd(6),
    key.revoked_at ? `revoked ${key.revoked_at}` : key.created_at,
    key.id,
  ].join('  ');
