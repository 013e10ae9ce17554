import { randomUUID } from 'node:crypto';
import { EventSchema } from '@ag-ui/core/schemas';
import { JsonObject, RunAccepted } from '@kith/protocol';
import { expect } from 'vitest';
import type { TestUser } from './kith.ts';

/** One frame of an event stream, read by hand: what tests of the wire are about. */
export interface Frame {
  /** Exactly as it came, without the empty line after it. */
  text: string;
  id: string | undefined;
  event: string | undefined;
  data: JsonObject;
}

/** Frames as they come; comments are left out. Ends with the stream. */
export async function* framesOf(response: Response): AsyncGenerator<Frame, void, void> {
  if (!response.body) throw new Error('the answer has no body');
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = `${rest}${chunk}`.split('\n\n');
    rest = parts.pop() ?? '';
    for (const text of parts) if (!text.startsWith(':')) yield toFrame(text);
  }
  expect(rest).toBe('');
}

function toFrame(text: string): Frame {
  const fields = new Map(
    text.split('\n').map((line): [string, string] => {
      const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
      return [name, value];
    }),
  );
  return {
    text,
    id: fields.get('id'),
    event: fields.get('event'),
    data: JsonObject.parse(JSON.parse(fields.get('data') ?? '')),
  };
}

export async function readFrames(response: Response): Promise<Frame[]> {
  expect(response.status).toBe(200);
  const frames = await Array.fromAsync(framesOf(response));
  for (const { data } of frames) expect(EventSchema.parse(data)).toEqual(data);
  return frames;
}

export const typesOf = (frames: readonly Frame[]) => frames.map(({ data }) => data.type);

export const ask = (content: string, threadId: string = randomUUID(), runId: string = randomUUID()) => ({
  threadId,
  runId,
  messages: [{ id: randomUUID(), role: 'user', content }],
});

/** Starts a run over REST. */
export async function startRun(user: TestUser, content: string, threadId?: string) {
  const answer = await user.post('/api/v1/agent/runs', ask(content, threadId));
  expect(answer.status).toBe(202);
  return answer.read(RunAccepted);
}

export const eventsPath = (run: { threadId: string; runId: string }) =>
  `/api/v1/agent/runs/${encodeURIComponent(run.threadId)}/events?runId=${encodeURIComponent(run.runId)}`;

/** The events of a run, to its end. */
export async function eventsOf(user: TestUser, run: { threadId: string; runId: string }, after?: string) {
  return readFrames(await user.fetch(eventsPath(run), after ? { headers: { 'last-event-id': after } } : {}));
}

/** Reads some frames and hangs up; fewer, where the stream ends or breaks before. */
export async function readSome(fetchEvents: (signal: AbortSignal) => Promise<Response>, count: number) {
  const hangUp = new AbortController();
  const frames: Frame[] = [];
  try {
    for await (const frame of framesOf(await fetchEvents(hangUp.signal))) {
      frames.push(frame);
      if (frames.length === count) break;
    }
  } catch (error) {
    if (frames.length === 0 && !(error instanceof TypeError)) throw error;
  }
  hangUp.abort();
  return frames;
}
