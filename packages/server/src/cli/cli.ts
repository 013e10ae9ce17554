import { type Config, type Environment, loadConfig } from '../config/index.ts';
import { type Database, findEmbedded, openDatabase, startEmbedded } from '../db/index.ts';
import { type Language, languageOf, type Terminal } from './terminal.ts';

/** What a command works with. */
export interface Cli {
  terminal: Terminal;
  language: Language;
  /** Of environment and kith.yaml; `over` stands above both. */
  config(over?: Environment): Config;
  /** The configured database, for the time of the work. */
  withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** A result: as JSON where `--json` was given, in words otherwise. */
  print(value: unknown, words: string): void;
  /** Ends the command with this code, after what was printed has gone out. */
  exitWith(code: number): void;
}

export interface CliState {
  json: boolean;
  exitCode: number;
}

export function createCli(terminal: Terminal, state: CliState): Cli {
  const config = (over: Environment = {}) => loadConfig({ ...terminal.environment, ...over }, terminal.workingFolder);
  return {
    terminal,
    language: languageOf(terminal.environment),
    config,
    withDatabase: (work) => withDatabase(config(), work),
    print: (value, words) => terminal.write(state.json ? `${JSON.stringify(value)}\n` : `${words}\n`),
    exitWith: (code) => {
      state.exitCode = code;
    },
  };
}

async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const database = await openFor(config, stack);
  stack.defer(() => database.close());
  return await work(database);
}

/** A server that runs on the embedded database is joined; without one the folder is opened for the moment. */
async function openFor({ database, home }: Config, stack: AsyncDisposableStack): Promise<Database> {
  if (database.url) return openDatabase({ kind: 'server', url: database.url, poolSize: 2 });
  const running = findEmbedded(home);
  if (running) return joinEmbedded(home, running.socketFolder);
  const server = await startEmbedded(home);
  stack.defer(() => server.stop());
  return openDatabase({ kind: 'embedded', socketFolder: server.socketFolder });
}

/** A server that has just taken the folder needs a moment until its socket is there. */
async function joinEmbedded(home: string, socketFolder: string): Promise<Database> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    try {
      return await openDatabase({ kind: 'embedded', socketFolder });
    } catch (error) {
      const isStarting =
        error instanceof Error && 'code' in error && /^(ENOENT|ECONNREFUSED)$/.test(String(error.code));
      if (!isStarting || Date.now() > deadline || !findEmbedded(home)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
