import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type FolderLock, liveHolder, takeLock } from './lock.ts';

export interface EmbeddedServer {
  socketFolder: string;
  stop(): Promise<void>;
}

/** Opens the folder's database for this process; refused while another live server has it. */
export async function startEmbedded(home: string): Promise<EmbeddedServer> {
  const socketFolder = socketFolderOf(home);
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 });
  const lock = takeLock(home, socketFolder);
  try {
    return await startWorker(join(home, 'database'), socketFolder, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The socket of a server that runs on this folder: how commands join it. */
export function findEmbedded(home: string): { socketFolder: string } | undefined {
  const holder = liveHolder(home);
  return holder ? { socketFolder: holder.socketFolder } : undefined;
}

// The kernel allows about 100 bytes for a socket's path; a deep KITH_HOME gets a short folder elsewhere.
function socketFolderOf(home: string): string {
  if (Buffer.byteLength(join(home, '.s.PGSQL.5432')) < 100) return home;
  return join(tmpdir(), `kith-${createHash('sha256').update(home).digest('hex').slice(0, 16)}`);
}

function startWorker(dataFolder: string, socketFolder: string, lock: FolderLock): Promise<EmbeddedServer> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { dataFolder, socket: join(socketFolder, '.s.PGSQL.5432') },
  });
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('message', () => {
      resolve({
        socketFolder,
        stop: async () => {
          worker.postMessage('stop');
          await exited;
          lock.release();
        },
      });
    });
  });
}
