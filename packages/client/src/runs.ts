import type {
  BusyPolicy,
  ClientTool,
  Decision,
  InputMessage,
  JsonObject,
  ResumeEntry,
  RunAccepted,
  RunDetail,
  RunStatus,
  RunSummary,
} from '@kith/protocol';
import { type Http, part } from './http.ts';
import { type StreamedEvent, type StreamOptions, streamRun } from './run-stream.ts';

/** A request for an answer. Ids that are left out are made here. */
export interface StartOptions {
  threadId?: string;
  runId?: string;
  /** What the user says; or `messages`, in AG-UI's form. */
  message?: string;
  messages?: InputMessage[];
  fileIds?: string[];
  /** What to do when the thread is busy; the server waits its turn by itself. */
  policy?: BusyPolicy;
  tools?: ClientTool[];
  context?: { description: string; value: string }[];
  resume?: ResumeEntry[];
  signal?: AbortSignal;
}

type RunName = Pick<RunAccepted, 'threadId' | 'runId'>;

export interface Runs {
  start(options: StartOptions): Promise<RunAccepted>;
  /** The events of a run, to its end; reconnects by itself. */
  stream(options: StreamOptions): AsyncGenerator<StreamedEvent, void, void>;
  /** Starts a run and streams it. */
  ask(options: StartOptions): AsyncGenerator<StreamedEvent, void, void>;
  get(run: RunName): Promise<RunDetail>;
  list(query?: {
    limit?: number;
    before?: string;
    status?: RunStatus;
    threadId?: string;
  }): Promise<{ runs: RunSummary[]; next_before: string | null }>;
  /** Cancels one run, or whatever is under way on the thread. */
  cancel(threadId: string, runId?: string): Promise<RunAccepted>;
  /** Lets a call that waits go ahead, with other arguments where they are given. */
  approve(threadId: string, toolCallId: string, edited?: { args?: JsonObject; reason?: string }): Promise<RunAccepted>;
  reject(threadId: string, toolCallId: string, reason?: string): Promise<RunAccepted>;
}

const base = '/api/v1/agent/runs';

export function createRuns(http: Http): Runs {
  const start: Runs['start'] = ({ signal, ...options }) => http.json('POST', base, { body: toInput(options), signal });
  const stream: Runs['stream'] = (options) => streamRun(http, options);
  const decide = (threadId: string, toolCallId: string, body: Decision): Promise<RunAccepted> =>
    http.json('POST', `${base}/${part(threadId)}/tool-calls/${part(toolCallId)}/decision`, { body });
  return {
    start,
    stream,
    async *ask(options) {
      const { threadId, runId } = await start(options);
      yield* stream({ threadId, runId, signal: options.signal });
    },
    get: ({ threadId, runId }) => http.json('GET', `${base}/${part(threadId)}`, { query: { runId } }),
    list: (query) => http.json('GET', base, { query }),
    cancel: (threadId, runId) => http.json('POST', `${base}/${part(threadId)}/cancel`, { query: { runId } }),
    approve: (threadId, toolCallId, edited = {}) => decide(threadId, toolCallId, { approved: true, ...edited }),
    reject: (threadId, toolCallId, reason) =>
      decide(threadId, toolCallId, { approved: false, ...(reason ? { reason } : {}) }),
  };
}

function toInput({ threadId, runId, message, messages = [], fileIds, policy, ...rest }: StartOptions) {
  const said: InputMessage[] =
    message === undefined ? [] : [{ id: crypto.randomUUID(), role: 'user', content: message }];
  const forwardedProps = { ...(policy ? { policy } : {}), ...(fileIds ? { file_ids: fileIds } : {}) };
  return {
    ...rest,
    threadId: threadId ?? crypto.randomUUID(),
    runId: runId ?? crypto.randomUUID(),
    messages: [...messages, ...said],
    ...(Object.keys(forwardedProps).length > 0 ? { forwardedProps } : {}),
  };
}
