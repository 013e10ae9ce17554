import { createServer, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';

/**
 * PostgreSQL's wire in front of PGlite, for several connections at once. PGlite is one backend: if messages of two
 * connections were mixed, the unnamed statement or portal of one would be replaced by the other's. So a connection has the
 * backend to itself from the first message of a query to its ReadyForQuery, and to the end of its transaction.
 */
export function serveOnSocket(database: PGlite, path: string): Promise<{ stop(): Promise<void> }> {
  const backend = createTurns();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    handleConnection(database, backend, socket);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => resolve({ stop: () => stop(server, sockets) }));
  });
}

function stop(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

/** Whose turn it is: first come, first served. `take` resolves with the function that ends the turn. */
function createTurns(): { take(): Promise<() => void> } {
  let last: Promise<void> = Promise.resolve();
  return {
    take() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const mine = last.then(() => resolve);
      last = promise;
      return mine;
    },
  };
}

const SYNC = Buffer.from([0x53, 0, 0, 0, 4]);
const isEndOfQuery = (type: string) => type === 'S' || type === 'Q';

function handleConnection(database: PGlite, backend: ReturnType<typeof createTurns>, socket: Socket): void {
  const reader = createReader();
  let endTurn: (() => void) | undefined;
  let midQuery = false;
  let chain: Promise<void> = Promise.resolve();

  const execute = async (batch: Batch) => {
    endTurn ??= await backend.take();
    midQuery = !batch.complete;
    await database.runExclusive(() =>
      database.execProtocolRawStream(batch.bytes, {
        onRawData: (data) => {
          if (socket.writable) socket.write(Buffer.from(data));
        },
      }),
    );
    if (batch.complete && !database.isInTransaction()) {
      endTurn();
      endTurn = undefined;
    }
  };

  /** A client that went away in the middle leaves nothing behind: its query is ended, its transaction undone. */
  const leave = async () => {
    if (!endTurn) return;
    if (midQuery) await database.execProtocolRaw(SYNC, { throwOnError: false });
    if (database.isInTransaction()) await database.exec('rollback');
    endTurn();
    endTurn = undefined;
  };

  socket.on('data', (data) => {
    for (const part of reader.read(data)) {
      if (part === 'ssl') socket.write('N');
      else if (part === 'terminate') socket.end();
      else if (part !== 'cancel') chain = chain.then(() => execute(part)).catch(() => void socket.destroy());
    }
  });
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    chain = chain.then(leave, leave);
  });
}

/** Messages that belong together, as one piece; `complete` where it ends a query. */
interface Batch {
  bytes: Uint8Array;
  complete: boolean;
}

const SSL_REQUEST = 80_877_103;
const CANCEL_REQUEST = 80_877_102;
const GSS_REQUEST = 80_877_104;

/** Cuts the stream into messages, and joins those of one query that have arrived together. */
function createReader(): { read(data: Buffer): (Batch | 'ssl' | 'cancel' | 'terminate')[] } {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;

  const readOpening = (): Batch | 'ssl' | 'cancel' | undefined => {
    if (rest.length < 8) return undefined;
    const length = rest.readInt32BE(0);
    if (rest.length < length) return undefined;
    const bytes = rest.subarray(0, length);
    const code = rest.readInt32BE(4);
    rest = rest.subarray(length);
    if (code === SSL_REQUEST || code === GSS_REQUEST) return 'ssl';
    if (code === CANCEL_REQUEST) return 'cancel';
    started = true;
    return { bytes, complete: true };
  };

  const readBatch = (): Batch | 'terminate' | undefined => {
    let end = 0;
    while (rest.length >= end + 5) {
      const next = end + 1 + rest.readInt32BE(end + 1);
      if (rest.length < next) break;
      const type = String.fromCharCode(rest[end] ?? 0);
      if (type === 'X') return 'terminate';
      end = next;
      if (isEndOfQuery(type)) {
        const bytes = rest.subarray(0, end);
        rest = rest.subarray(end);
        return { bytes, complete: true };
      }
    }
    if (end === 0) return undefined;
    const bytes = rest.subarray(0, end);
    rest = rest.subarray(end);
    return { bytes, complete: false };
  };

  return {
    read(data) {
      rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
      const parts: (Batch | 'ssl' | 'cancel' | 'terminate')[] = [];
      for (let part = started ? readBatch() : readOpening(); part; part = started ? readBatch() : readOpening()) {
        parts.push(part);
        if (part === 'terminate') break;
      }
      return parts;
    },
  };
}
