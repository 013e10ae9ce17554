import { KithEvent, TERMINAL_EVENTS } from '@kith/protocol';
import { createParser } from 'eventsource-parser';
import { isApiError, segment, send } from '../../api/index.ts';
import { waitBeforeRetry } from './patience.ts';

export interface Following {
  threadId: string;
  runId: string;
  /** The id of the last event that was seen, if any. */
  lastEventId: () => string | undefined;
  onEvent: (event: KithEvent, id: string | undefined) => void;
  /** Told whenever the connection is lost or found again. */
  onConnection: (isLive: boolean) => void;
  signal: AbortSignal;
}

/** How a stream came to its end: by the run's own, or because there is no more of it to be had here. */
export type StreamEnd = 'ended' | 'expired' | 'gone' | 'aborted';

/** Longer than two of the server's keep-alives: silence beyond it is a connection that died without saying so. */
const SILENCE_MS = 40_000;

/** A run's events to its end, through sleep, lost networks and restarts of the server. */
export async function followEvents(following: Following): Promise<StreamEnd> {
  const { signal, onConnection } = following;
  for (let failures = 0; !signal.aborted; failures++) {
    const end = await readOnce(following, () => {
      failures = 0;
      onConnection(true);
    });
    if (end !== 'cut') return end;
    if (signal.aborted) break;
    onConnection(false);
    await waitBeforeRetry(failures, signal);
  }
  return 'aborted';
}

async function readOnce(following: Following, onOpen: () => void): Promise<StreamEnd | 'cut'> {
  const connection = new AbortController();
  const cut = () => connection.abort();
  following.signal.addEventListener('abort', cut);
  window.addEventListener('offline', cut);
  let lastHeard = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - lastHeard > SILENCE_MS) cut();
  }, 5000);
  try {
    const response = await open(following, connection.signal);
    onOpen();
    return await readEvents(response, following, () => {
      lastHeard = Date.now();
    });
  } catch (error) {
    return reasonOf(error);
  } finally {
    clearInterval(watch);
    following.signal.removeEventListener('abort', cut);
    window.removeEventListener('offline', cut);
  }
}

function open({ threadId, runId, lastEventId }: Following, signal: AbortSignal): Promise<Response> {
  const id = lastEventId();
  return send('GET', `api/v1/agent/runs/${segment(threadId)}/events`, {
    query: { runId },
    headers: { accept: 'text/event-stream', ...(id === undefined ? {} : { 'last-event-id': id }) },
    signal,
  });
}

async function readEvents(response: Response, following: Following, onBytes: () => void): Promise<StreamEnd | 'cut'> {
  if (!response.body) return 'cut';
  let hasEnded = false;
  const parser = createParser({
    onEvent: ({ id, data }) => {
      const event = KithEvent.safeParse(JSON.parse(data));
      // An event that this console does not know belongs to a newer server.
      if (!event.success || event.data.runId !== following.runId) return;
      following.onEvent(event.data, id);
      hasEnded = TERMINAL_EVENTS.has(event.data.type);
    },
  });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return hasEnded ? 'ended' : 'cut';
    onBytes();
    parser.feed(value);
  }
}

function reasonOf(error: unknown): StreamEnd | 'cut' {
  if (!isApiError(error)) return 'cut';
  if (error.code === 'EVENTS_EXPIRED') return 'expired';
  const isFinal = error.status >= 400 && error.status < 500 && error.status !== 429 && error.status !== 408;
  return isFinal ? 'gone' : 'cut';
}
