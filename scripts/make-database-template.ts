import { writeFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

/** Makes the archive that a new embedded database is unpacked from. Run it after a new version of PGlite. */
const database = await PGlite.create({ extensions: { vector } });
const archive = await database.dumpDataDir('gzip');
await database.close();
const target = new URL('../packages/server/src/db/embedded/template.tar.gz', import.meta.url);
writeFileSync(target, Buffer.from(await archive.arrayBuffer()));
process.stdout.write(`${archive.size} bytes\n`);
