import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

export interface Program {
  process: ChildProcess;
  /** What it has printed so far, line by line. */
  lines: readonly string[];
  /** The first line, printed already or still to come, that fits. Fails when the program ends without it. */
  line(fits: (line: string) => boolean): Promise<string>;
  say(line: string): void;
  /** Its exit code; null after a signal. */
  exited: Promise<number | null>;
  /** What it has complained about. */
  complaints(): string;
}

const server = new URL('../', import.meta.url);

/** Runs a TypeScript file of this package as a process of its own; whatever is left of it is killed after the tests. */
export function startProgram(file: string, args: string[] = [], environment: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, server)), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...environment },
  });
  afterAll(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  let complaints = '';
  const wake = () => {
    for (const look of waiting) look();
  };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    wake();
  });
  let isOver = false;
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      isOver = true;
      wake();
      resolve(code);
    });
  });
  return {
    process: child,
    lines,
    exited,
    complaints: () => complaints,
    say: (line) => child.stdin.write(`${line}\n`),
    line: (fits) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find(fits);
          if (found === undefined && !isOver) return;
          waiting.delete(look);
          if (found !== undefined) resolve(found);
          else reject(new Error(`the program ended without that line; it said: ${lines.join('\n')}\n${complaints}`));
        };
        waiting.add(look);
        look();
      }),
  };
}
