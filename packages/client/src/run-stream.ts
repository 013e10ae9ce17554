import type { KithEvent, RunDetail } from '@kith/protocol';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { type Http, KithApiError, part } from './http.ts';

export interface StreamOptions {
  threadId: string;
  runId: string;
  /** The id of the last event that is known: the stream goes on after it. */
  after?: string | undefined;
  /** Ends the stream, without an error. */
  signal?: AbortSignal | undefined;
  /** Called before each new attempt, with the reason for it. */
  onReconnect?: ((reason: unknown) => void) | undefined;
}

export interface StreamedEvent {
  /** Give it back as `after` to go on from here, in this page or any other. */
  id: string;
  event: KithEvent;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;

/**
 * The events of a run, in order, each once, to its end. A connection that breaks is made again, from where it was. It ends
 * with RUN_FINISHED (also when the run waits for a decision) or RUN_ERROR.
 */
export async function* streamRun(http: Http, options: StreamOptions): AsyncGenerator<StreamedEvent, void, void> {
  const { signal } = options;
  let after = options.after;
  let delay = FIRST_DELAY_MS;
  while (!signal?.aborted) {
    let reason: unknown;
    const before = after;
    try {
      for await (const streamed of connect(http, options, after)) {
        after = streamed.id;
        delay = FIRST_DELAY_MS;
        yield streamed;
        if (isEnd(streamed.event)) return;
      }
      // A stream of a run that was over already has nothing to say, and ends at once.
      if (after === before && (await isOver(http, options))) return;
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof KithApiError && !isPassing(error)) throw error;
      reason = error;
    }
    const asked = reason instanceof KithApiError ? (reason.retryAfter ?? 0) * 1000 : 0;
    await pause(Math.max(asked, delay * (0.5 + Math.random() / 2)), signal);
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
    if (!signal?.aborted) options.onReconnect?.(reason);
  }
}

async function* connect(
  http: Http,
  options: StreamOptions,
  after: string | undefined,
): AsyncGenerator<StreamedEvent, void, void> {
  const { threadId, runId, signal } = options;
  const response = await http.send('GET', `/api/v1/agent/runs/${part(threadId)}/events`, {
    query: { runId },
    headers: { accept: 'text/event-stream', ...(after ? { 'last-event-id': after } : {}) },
    signal,
  });
  const messages = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  if (!messages) return;
  try {
    for (let next = await messages.read(); !next.done; next = await messages.read()) {
      const { id, data } = next.value;
      if (id) yield { id, event: JSON.parse(data) };
    }
  } finally {
    await messages.cancel().catch(() => {});
  }
}

const isEnd = ({ type }: KithEvent) => type === 'RUN_FINISHED' || type === 'RUN_ERROR';

/** What may be otherwise in a moment: the server restarts, or wants us to be slower. */
const isPassing = ({ status }: KithApiError) => status >= 500 || status === 408 || status === 429;

async function isOver(http: Http, { threadId, runId, signal }: StreamOptions): Promise<boolean> {
  const { status } = await http.json<RunDetail>('GET', `/api/v1/agent/runs/${part(threadId)}`, {
    query: { runId },
    signal,
  });
  return status === 'completed' || status === 'failed' || status === 'canceled';
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
    if (signal?.aborted) done();
  });
}
