import type { FastifyReply } from 'fastify';
import type { Metrics } from '../../observability/index.ts';
import type { App } from '../app.ts';

/** An open event stream to one reader. */
export interface EventStream {
  /** Fires when the reader has gone or the server is about to stop. */
  readonly signal: AbortSignal;
  /** Writes, and waits until the reader can take more. */
  send(text: string): Promise<void>;
  /** Writes many frames in few pieces. */
  sendAll(frames: Iterable<string>): Promise<void>;
  end(): void;
  /** Cuts the connection: the reader comes back by id. */
  drop(): void;
}

/** Opens event streams and keeps them alive, all with one timer. */
export interface EventStreams {
  open(reply: FastifyReply): EventStream;
}

export interface EventStreamOptions {
  keepAliveSeconds: number;
  /** Counts those that are open. */
  readers: Pick<Metrics['readers'], 'inc' | 'dec'>;
}

/** Enough to make a write worth it, little enough not to be held for a reader that has stopped. */
const PIECE = 32 * 1024;

interface Kept {
  idle: boolean;
  /** Shows a sign of life; a reader that has taken nothing since the last one is let go. */
  ping(): void;
  leave(): void;
}

export function createEventStreams(app: App, { keepAliveSeconds, readers }: EventStreamOptions): EventStreams {
  const open = new Set<Kept>();
  const ticker = setInterval(() => {
    for (const stream of open) {
      if (stream.idle) stream.ping();
      stream.idle = true;
    }
  }, keepAliveSeconds * 1000);
  ticker.unref();
  app.addHook('onClose', async () => clearInterval(ticker));
  // A stream must not hold up the shutdown: its reader goes on elsewhere, from where it is.
  app.draining.addEventListener('abort', () => {
    for (const stream of open) stream.leave();
  });
  return {
    open(reply) {
      const { stream, kept } = openStream(reply, () => {
        if (open.delete(kept)) readers.dec();
      });
      open.add(kept);
      readers.inc();
      if (app.draining.aborted) kept.leave();
      // Gone while its request was looked at: there is no `close` to come.
      if (reply.raw.destroyed) stream.drop();
      return stream;
    },
  };
}

function openStream(reply: FastifyReply, onGone: () => void): { stream: EventStream; kept: Kept } {
  reply.hijack();
  const { raw } = reply;
  const gone = new AbortController();
  let wake: (() => void) | undefined;
  let stalled = false;
  const goOn = () => {
    stalled = false;
    wake?.();
    wake = undefined;
  };
  raw.on('drain', goOn);
  raw.on('error', goOn);
  const leave = () => {
    onGone();
    gone.abort();
    goOn();
  };
  raw.on('close', leave);
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    // Proxies that buffer would turn a stream into one late answer.
    'x-accel-buffering': 'no',
  };
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) raw.setHeader(name, value);
  raw.flushHeaders();
  const kept: Kept = {
    idle: false,
    ping: () => {
      if (!raw.writableNeedDrain) raw.write(': keep-alive\n\n');
      else if (stalled) raw.destroy();
      stalled = raw.writableNeedDrain;
    },
    leave: () => {
      gone.abort();
      goOn();
    },
  };
  const send = async (text: string) => {
    kept.idle = false;
    if (raw.destroyed || raw.write(text)) return;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  };
  const stream: EventStream = {
    signal: gone.signal,
    send,
    async sendAll(frames) {
      let piece = '';
      for (const frame of frames) {
        piece += frame;
        if (piece.length < PIECE) continue;
        await send(piece);
        piece = '';
      }
      if (piece) await send(piece);
    },
    end: () => raw.end(),
    drop: () => {
      raw.destroy();
      leave();
    },
  };
  return { stream, kept };
}
