import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

/** The readers' side of `readers.ts`, in a process of its own: what the server holds is then the server's alone. */

export type ReaderOrder = { open: number; url: string; path: string };
export type ReaderReport = { opened: number } | { told: number };

const report = (message: ReaderReport) => process.send?.(message);
const sockets: Socket[] = [];
let told = 0;

async function openReader(url: URL, path: string): Promise<Socket> {
  const socket = createConnection({ host: url.hostname, port: Number(url.port) });
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\nX-User-Id: bench\r\n\r\n`);
  socket.on('data', (chunk) => {
    if (!chunk.includes('RUN_ERROR')) return;
    told++;
    if (told === sockets.length) report({ told });
  });
  await once(socket, 'data');
  return socket;
}

process.on('message', async (order: ReaderOrder) => {
  while (sockets.length < order.open) sockets.push(await openReader(new URL(order.url), order.path));
  report({ opened: sockets.length });
});
