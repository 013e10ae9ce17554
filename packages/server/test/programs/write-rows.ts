import { openDatabase, startEmbedded } from '../../src/db/index.ts';

/** Writes rows into the embedded database of a folder, one transaction each, and says each number once it is committed. */
const [home = '', first = '0'] = process.argv.slice(2);
const { socketFolder } = await startEmbedded(home);
const database = await openDatabase({ kind: 'embedded', socketFolder });
for (let number = Number(first); ; number += 1) {
  await database.sql`insert into profiles (user_id, username, display_name) values (${String(number)}, 'n', 'n')`;
  process.stdout.write(`${number}\n`);
}
