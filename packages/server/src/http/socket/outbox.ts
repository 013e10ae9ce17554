import type { SocketMessage } from '@kith/protocol';
import type { WebSocket } from 'ws';

/** Writes to one WebSocket, and waits where its reader is slower than we are. */
export interface Outbox {
  send(message: SocketMessage): Promise<void>;
}

/** Below this a message is handed over without waiting for it. */
const EASY_BYTES = 64 * 1024;

export function createOutbox(socket: WebSocket): Outbox {
  return {
    async send(message) {
      if (socket.readyState !== socket.OPEN) return;
      const text = JSON.stringify(message);
      // The callback also comes, with an error, when the connection breaks.
      const written = new Promise<void>((resolve) => socket.send(text, () => resolve()));
      if (socket.bufferedAmount > EASY_BYTES) await written;
    },
  };
}
