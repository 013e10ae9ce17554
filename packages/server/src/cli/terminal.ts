import type { Readable } from 'node:stream';
import type { Environment } from '../config/index.ts';

/** The outside of a command: passed in, so that a test can hold it. */
export interface Terminal {
  environment: Environment;
  workingFolder: string;
  input: Readable & { isTTY?: boolean };
  /** Results. */
  write(text: string): void;
  /** Everything that is not a result. */
  complain(text: string): void;
}

export function processTerminal(): Terminal {
  return {
    environment: process.env,
    workingFolder: process.cwd(),
    input: process.stdin,
    write: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(text),
  };
}

export type Language = 'zh' | 'en';

/** The language of the terminal, in the order that POSIX gives its variables. */
export function languageOf({ LC_ALL, LC_MESSAGES, LANG }: Environment): Language {
  return /^zh/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'zh' : 'en';
}
