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
      const kith = await startKith(cli.config(roles ? { KITH_ROLES: roles } : {}));
      const { url, config, database } = kith;
      cli.print(
        { url, roles: config.roles, database: database.kind, model: kith.rooms.model },
        startMessage(kith, cli.language),
      );
      cli.exitWith(await untilStopped(kith));
    });
};

/** Drains on the first signal; a second one means it. */
async function untilStopped(kith: Kith): Promise<number> {
  const { promise: signaled, resolve } = Promise.withResolvers<void>();
  const onSignal = () => {
    resolve();
    process.once('SIGINT', () => process.exit(exitCodes.failed));
    process.once('SIGTERM', () => process.exit(exitCodes.failed));
  };
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  await signaled;
  // Requests get the grace time, then runs do. Whatever hangs longer than that does not keep the process.
  setTimeout(() => process.exit(exitCodes.failed), kith.config.runs.graceSeconds * 2000 + 10_000).unref();
  await kith.close();
  return exitCodes.ok;
}
