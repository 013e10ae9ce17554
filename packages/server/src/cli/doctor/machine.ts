import { accessSync, constants, existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Language } from '../terminal.ts';
import type { Check, Finding } from './index.ts';

export function checkRuntime(version: string, language: Language): Finding {
  const isNew = Number(version.split('.')[0]) >= 24;
  const needed = language === 'zh' ? `Node ${version},需要 24 以上` : `Node ${version}, 24 or newer is needed`;
  return { name: 'runtime', status: isNew ? 'ok' : 'failed', detail: isNew ? `Node ${version}` : needed };
}

const words = {
  en: {
    writable: 'can be written',
    made: 'will be made',
    refused: 'cannot be written',
    space: 'MB are free on its disk',
  },
  zh: { writable: '可写', made: '将会创建', refused: '不可写', space: 'MB 可用空间' },
} as const;

/** Below this a database is soon in trouble. */
const ENOUGH_MB = 500;

export const checkHome: Check = async ({ config: { home }, language }) => {
  const say = words[language];
  try {
    if (!existsSync(home)) {
      accessSync(nearestFolder(home), constants.W_OK);
      return [{ name: 'home', status: 'ok', detail: `${home}: ${say.made}` }];
    }
    mkdirSync(home, { recursive: true });
    const probe = join(home, `.doctor-${process.pid}`);
    writeFileSync(probe, '');
    rmSync(probe);
  } catch {
    return [{ name: 'home', status: 'failed', detail: `${home}: ${say.refused}` }];
  }
  const { bavail, bsize } = statfsSync(home);
  const free = Math.floor((bavail * bsize) / 1_000_000);
  const status = free < ENOUGH_MB ? 'warning' : 'ok';
  return [{ name: 'home', status, detail: `${home}: ${say.writable}, ${free} ${say.space}` }];
};

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path));
}
