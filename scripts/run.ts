import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program where the repository is, with its output on this terminal; whether it went well. */
export function run(program: string, args: readonly string[], environment: Record<string, string> = {}): boolean {
  process.stdout.write(`\n> ${[program, ...args].join(' ')}\n`);
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  if (error) process.stderr.write(`${program}: ${error.message}\n`);
  return status === 0;
}
