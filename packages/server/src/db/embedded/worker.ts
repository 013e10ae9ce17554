import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { serveOnSocket } from './socket-server.ts';

/** Runs in a thread of its own, so that a heavy query never holds up the event loop of the server. */
const { dataFolder, socket }: { dataFolder: string; socket: string } = workerData;

// A database made from scratch takes three times as long to start as one unpacked from a template.
const isNew = dataFolder.startsWith('memory://') || !existsSync(join(dataFolder, 'PG_VERSION'));
const database = await PGlite.create({
  dataDir: dataFolder,
  extensions: { vector },
  ...(isNew ? { loadDataDir: new Blob([readFileSync(new URL('./template.tar.gz', import.meta.url))]) } : {}),
});

rmSync(socket, { force: true });
const server = await serveOnSocket(database, socket);

parentPort?.once('message', async () => {
  await server.stop();
  await database.close();
  parentPort?.close();
});
parentPort?.postMessage('ready');
