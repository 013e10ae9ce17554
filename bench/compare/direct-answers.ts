import { randomUUID } from 'node:crypto';
import { attempt, type Lab, type Outcome, placeFor } from './lab.ts';
import { KITH } from './set-ups.ts';
import { median, percentile } from './statistics.ts';
import { openSubject } from './subject.ts';

/** How fast a direct answer comes, and how many there are when many ask. */
interface Answering {
  /** One asks at a time, and the model speaks at the pace of a model at work. */
  firstTokenMs: number;
  /** Many ask at once, and the model answers at once. */
  endMs: number;
  slowEndMs: number;
  perSecond: number;
}

/** Kith beside its own model: what the client and the machine allow at best. */
export interface DirectAnswers {
  kith: Answering;
  model: Answering;
}

export const AT_ONCE = 20;

export function measureDirectAnswers(
  lab: Lab,
  plan: { alone: number; together: number },
): Promise<Outcome<DirectAnswers>> {
  lab.tell('direct answers over HTTP');
  return attempt(async () => {
    const place = await placeFor(lab, KITH, 'http');
    const subject = await openSubject({ module: './kith-server.ts' }, place, lab.profileFolder);
    const kith = await measureAnswering((content) => askKith(`${subject.url}/api/v1/agent/agui`, content), plan);
    await subject.close();
    const model = await measureAnswering((content) => askModel(`${place.modelUrl}/chat/completions`, content), plan);
    return { kith, model };
  });
}

interface Timing {
  firstTokenMs: number;
  endMs: number;
}
type Ask = (content: string) => Promise<Timing>;

async function measureAnswering(ask: Ask, plan: { alone: number; together: number }): Promise<Answering> {
  await many(() => ask('When am I free?'), plan.together, AT_ONCE); // warms up
  const alone = await many(() => ask('Tell me slowly when I am free.'), plan.alone, 1);
  const started = performance.now();
  const together = await many(() => ask('When am I free?'), plan.together, AT_ONCE);
  const seconds = (performance.now() - started) / 1000;
  const ends = together.map(({ endMs }) => endMs);
  return {
    firstTokenMs: median(alone.map(({ firstTokenMs }) => firstTokenMs)),
    endMs: median(ends),
    slowEndMs: percentile(ends, 0.99),
    perSecond: together.length / seconds,
  };
}

/** So many answers, so many under way at any time. */
async function many(ask: () => Promise<Timing>, count: number, atOnce: number): Promise<Timing[]> {
  const timings: Timing[] = [];
  let left = count;
  const client = async () => {
    while (left-- > 0) timings.push(await ask());
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return timings;
}

/** A new user on a new thread, as an AG-UI client asks. */
function askKith(url: string, content: string): Promise<Timing> {
  const threadId = randomUUID();
  const messages = [{ id: randomUUID(), role: 'user', content }];
  const input = { threadId, runId: randomUUID(), messages, tools: [], context: [], state: {}, forwardedProps: {} };
  return read(url, { 'x-user-id': `user-of-${threadId}` }, input, 'TEXT_MESSAGE_CONTENT', 'RUN_FINISHED');
}

const askModel: (url: string, content: string) => Promise<Timing> = (url, content) =>
  read(url, {}, { stream: true, messages: [{ role: 'user', content }] }, '"content"', '[DONE]');

async function read(
  url: string,
  headers: Record<string, string>,
  body: object,
  token: string,
  end: string,
): Promise<Timing> {
  const started = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const decoder = new TextDecoder();
  let text = '';
  let firstTokenMs = 0;
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (firstTokenMs === 0 && text.includes(token)) firstTokenMs = performance.now() - started;
  }
  if (!text.includes(end)) throw new Error(`an answer without an end: ${response.status} ${text.slice(-300)}`);
  return { firstTokenMs, endMs: performance.now() - started };
}
