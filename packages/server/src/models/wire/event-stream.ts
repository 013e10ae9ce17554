import type { IncomingMessage } from 'node:http';
import { CallFailure } from './call-failure.ts';
import { BODY_LIMIT, connectionFailure } from './transport.ts';

/** One event may not be larger than this: no vendor's is, and a line without end must not be collected for ever. */
const EVENT_LIMIT = 4 * 1024 * 1024;

/**
 * Splits server-sent events out of text that comes in any pieces, in time linear in its length, and hands over the
 * `data` of each. Comments, blank lines, event names and ids are passed over: vendors keep waiting requests alive with them.
 */
export function eventReader(onData: (data: string) => void) {
  let data: string | undefined;
  return lines((text) => {
    if (text === '') {
      if (data !== undefined) onData(data);
      data = undefined;
    } else if (text.startsWith('data:')) {
      const value = text.charCodeAt(5) === 32 ? text.slice(6) : text.slice(5);
      data = data === undefined ? value : `${data}\n${value}`;
      refuseBeyond(data.length);
    }
  });
}

/** Cuts text that comes in any pieces into lines; the end of the text ends the last line and the last event. */
function lines(onLine: (text: string) => void) {
  let rest = '';
  return {
    push(text: string): void {
      // Only the new text is searched: a long line in small pieces would else be read again with every piece.
      let end = text.indexOf('\n');
      if (end === -1) {
        rest += text;
        refuseBeyond(rest.length);
        return;
      }
      let from = 0;
      while (end !== -1) {
        const piece = text.slice(from, end);
        const line = rest === '' ? piece : rest + piece;
        rest = '';
        onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
        from = end + 1;
        end = text.indexOf('\n', from);
      }
      rest = text.slice(from);
    },
    end(): void {
      if (rest !== '') onLine(rest);
      rest = '';
      onLine('');
    },
  };
}

function refuseBeyond(length: number): void {
  if (length > EVENT_LIMIT) throw new CallFailure('too_large', 'an event of the stream has no end');
}

/** Lines of JSON, one event each; blank ones are passed over. */
export function lineReader(onData: (data: string) => void) {
  // The same splitting, with every line an event of its own.
  return lines((text) => {
    if (text.trim() !== '') onData(text);
  });
}

/** Reads a streamed answer to its end. `onData` may end it early by returning true. */
export function readEvents(
  response: IncomingMessage,
  signal: AbortSignal,
  onData: (data: string) => boolean,
  makeReader: typeof eventReader = eventReader,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder();
    let size = 0;
    let finished = false;
    const finish = (failure?: unknown) => {
      if (finished) return;
      finished = true;
      if (failure === undefined) resolve();
      else reject(failure);
    };
    const reader = makeReader((data) => {
      if (finished || !onData(data)) return;
      finish();
      endSoon(response);
    });
    // A reader that throws (an error chunk, an unreadable event) drops the connection: nothing after it is of use.
    const guarded = (work: () => void) => {
      try {
        work();
      } catch (error) {
        finish(error);
        response.destroy();
      }
    };
    response.on('data', (chunk: Buffer) =>
      guarded(() => {
        size += chunk.length;
        if (size > BODY_LIMIT) throw new CallFailure('too_large', `a stream of more than ${BODY_LIMIT} bytes`);
        reader.push(decoder.decode(chunk, { stream: true }));
      }),
    );
    response.on('end', () => {
      guarded(() => reader.end());
      finish();
    });
    response.on('error', (error) => finish(connectionFailure(error, signal)));
  });
}

const GRACE_MS = 1_000;

/** After the last event the body ends by itself, and its connection can be used again; one that does not end is cut. */
function endSoon(response: IncomingMessage): void {
  const timer = setTimeout(() => response.destroy(), GRACE_MS);
  timer.unref();
  response.once('close', () => clearTimeout(timer));
}
