/** What `kith doctor` looks at: a check is a function, and this is the list of them. */
import type { Config } from '../../config/index.ts';
import type { Cli } from '../cli.ts';
import type { Language } from '../terminal.ts';
import { checkClock, checkDatabase } from './database.ts';
import { checkHome, checkRuntime } from './machine.ts';
import { checkPort, checkRedis } from './network.ts';

export interface Finding {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  detail: string;
}

export interface Patient {
  cli: Cli;
  config: Config;
  language: Language;
}

/** None to report, one, or several (one per vendor, say). */
export type Check = (patient: Patient) => Promise<Finding[]>;

const checks: readonly Check[] = [checkHome, checkDatabase, checkClock, checkPort, checkRedis];

export async function examine(cli: Cli): Promise<Finding[]> {
  const runtime = checkRuntime(process.versions.node, cli.language);
  let config: Config;
  try {
    config = cli.config();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [runtime, { name: 'configuration', status: 'failed', detail }];
  }
  const detail = cli.language === 'zh' ? '有效' : 'valid';
  const findings: Finding[] = [runtime, { name: 'configuration', status: 'ok', detail }];
  for (const check of checks) findings.push(...(await check({ cli, config, language: cli.language })));
  return findings;
}
