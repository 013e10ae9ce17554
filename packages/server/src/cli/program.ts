import { Command, CommanderError } from 'commander';
import { isKithError } from '../errors/index.ts';
import { type CliState, createCli } from './cli.ts';
import { commands } from './commands/index.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line and gives back its exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  const state: CliState = { json: false, exitCode: exitCodes.ok };
  const cli = createCli(terminal, state);
  const program = new Command('kith')
    .description('An agent runtime that knows its user')
    .option('--json', 'print results as JSON')
    .exitOverride()
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.complain })
    .hook('preAction', () => {
      state.json = program.opts<{ json?: boolean }>().json ?? false;
    });
  for (const addCommand of commands) addCommand(program, cli);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return state.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    report(error, state.json, terminal);
    return exitCodeOf(error);
  }
}

function report(error: unknown, json: boolean, terminal: Terminal): void {
  const code = isKithError(error) ? error.code : 'INTERNAL';
  const message = error instanceof Error ? error.message : String(error);
  if (json) terminal.write(`${JSON.stringify({ error: { code, message } })}\n`);
  else terminal.complain(`kith: ${message}\n`);
}
