import { type Kith, startKith } from '../../main.ts';
import { exitCodes } from '../exit-codes.ts';
import { startMessage } from '../start-message.ts';
import type { AddCommand } from './index.ts';

export const startCommand: AddCommand = (program, cli) => {
  program
    .command('start')
    .description('start the server')
    .option('--roles <roles>', 'what this process does: api, worker, scheduler (comma separated; default all)')
    .action(async ({ roles }: { roles?: string }) => {
      // From the beginning: a signal may come while the server still starts.
      const stopped = stopSignal();
      const kith = await startKith(cli.config(roles ? { KITH_ROLES: roles } : {}));
      const { url, config, database } = kith;
      cli.print(
        { url, roles: config.roles, database: database.kind, model: kith.rooms.model },
        startMessage(kith, cli.language),
      );
      await stopped;
      await close(kith);
    });
};

/** The first signal drains; a second one means it. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      resolve();
      process.on('SIGINT', () => process.exit(exitCodes.failed));
      process.on('SIGTERM', () => process.exit(exitCodes.failed));
    };
    process.once('SIGINT', onSignal);
    process.once('SIGTERM', onSignal);
  });
}

/** Requests get the grace time, then runs do. Whatever hangs longer than that does not keep the process. */
async function close(kith: Kith): Promise<void> {
  setTimeout(() => process.exit(exitCodes.failed), kith.config.runs.graceSeconds * 2000 + 10_000).unref();
  await kith.close();
}
