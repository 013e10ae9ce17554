import { examine } from '../doctor/index.ts';
import { exitCodes } from '../exit-codes.ts';
import type { AddCommand } from './index.ts';

const marks = { ok: '✓', warning: '!', failed: '✗' } as const;

export const doctorCommand: AddCommand = (program, cli) => {
  program
    .command('doctor')
    .description('look for what would keep the server from working')
    .action(async () => {
      const findings = await examine(cli);
      const ok = findings.every((finding) => finding.status !== 'failed');
      const lines = findings.map(({ name, status, detail }) => `${marks[status]} ${name.padEnd(14)} ${detail}`);
      cli.print({ ok, checks: findings }, lines.join('\n'));
      if (!ok) cli.exitWith(exitCodes.failed);
    });
};
