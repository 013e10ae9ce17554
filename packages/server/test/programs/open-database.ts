import { openDatabase } from '../../src/db/index.ts';

/** Opens a database when told to, which brings it to this version, and closes it again. */
const address = JSON.parse(process.argv[2] ?? '');
process.stdout.write('ready\n');
process.stdin.once('data', async () => {
  const database = await openDatabase(address);
  await database.close();
  process.stdout.write('opened\n');
  process.exit(0);
});
