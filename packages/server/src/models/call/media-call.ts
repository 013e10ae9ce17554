import type { JsonObject } from '@kith/protocol';
import type { TaskState } from '../parsers/compile.ts';
import type { ImageForm, VideoForm } from '../parsers/normal-form.ts';
import type { CallOutcome } from '../port.ts';
import { pause } from '../routing/backoff.ts';
import { CallFailure } from '../wire/call-failure.ts';
import { exchangeJson } from '../wire/templated.ts';
import type { Chat, ChatServices } from './chat-call.ts';
import type { Target } from './target.ts';
import { type AttemptHandle, trackedCall } from './tracked-call.ts';

export interface MediaCall extends Omit<Chat, 'messages' | 'tools'> {
  prompt: string;
  /** In the vendor's words: size, n, duration, … */
  parameters: JsonObject;
  /** Given: asks after work that was begun earlier. */
  taskId?: string | undefined;
  /** How long to wait for work that takes its time. */
  waitMs: number;
}

/** Pictures or videos, or the task that is still making them. */
export interface MediaAnswer {
  images?: ImageForm['images'];
  videos?: VideoForm['videos'];
  task?: { id: string; state: string; done: boolean };
}

const FIRST_POLL_MS = 250;
const LONGEST_POLL_MS = 5_000;

/** Makes pictures or videos. A vendor that works on them for a while is asked again until it is done or the time is up. */
export async function mediaCall(services: ChatServices, call: MediaCall): Promise<CallOutcome<MediaAnswer>> {
  const outcome = await trackedCall<MediaAnswer>(
    services,
    { ...call, operation: 'generate_content' },
    (target, handle) =>
      call.taskId === undefined
        ? begin(services, call, target, handle)
        : follow(services, call, target, handle, call.taskId),
  );
  const unfinished = outcome.ok && outcome.value.task && !outcome.value.task.done ? outcome.value.task : undefined;
  return unfinished ? { ...outcome, bookings: outcome.bookings.map((row) => asUnderWay(row, unfinished.id)) } : outcome;
}

/** Nothing is used yet: the row waits, and says what it waits for. */
function asUnderWay(row: CallOutcome<MediaAnswer>['bookings'][number], taskId: string) {
  return {
    ...row,
    status: 'started' as const,
    raw_usage: { task_id: taskId },
    usage_summary: null,
    cost: null,
    cost_source: null,
    price_card: null,
    latency_ms: null,
    finished_at: null,
  };
}

async function begin(services: ChatServices, call: MediaCall, target: Target, handle: AttemptHandle) {
  const { model } = target;
  const parser = parserOf(target);
  const request = { model: model.name, prompt: call.prompt, parameters: call.parameters };
  const body = await exchangeJson(services.transport, parser.request, request, handle);
  if (!parser.task) return finished(target, body);
  const task = parser.task.state(body);
  // The work is under way at the vendor: trying again would pay for it twice.
  handle.started();
  return task.outcome === 'running' ? follow(services, call, target, handle, task.id) : settled(target, body, task);
}

async function follow(services: ChatServices, call: MediaCall, target: Target, handle: AttemptHandle, taskId: string) {
  const { task } = parserOf(target);
  if (!task) throw new CallFailure('refused', `${target.model.id} has no tasks`);
  const deadline = services.now().getTime() + call.waitMs;
  for (let interval = FIRST_POLL_MS; ; interval = Math.min(interval * 1.5, LONGEST_POLL_MS)) {
    const body = await exchangeJson(
      services.transport,
      task.poll,
      { model: target.model.name, task_id: taskId },
      handle,
    );
    const state = task.state(body);
    if (state.outcome !== 'running') return settled(target, body, state);
    handle.started();
    if (services.now().getTime() + interval > deadline) {
      return { value: { task: { id: taskId, state: state.state, done: false } }, usage: null };
    }
    await pause(interval, handle.signal);
  }
}

function settled(target: Target, body: unknown, task: TaskState) {
  if (task.failure) throw task.failure;
  const { value, usage } = finished(target, body);
  return { value: { ...value, task: { id: task.id, state: task.state, done: true } }, usage };
}

function finished(target: Target, body: unknown): { value: MediaAnswer; usage: JsonObject | null } {
  const parser = parserOf(target);
  if (target.model.category === 'text-to-image') {
    const { images, usage } = parser.images(body);
    return { value: { images }, usage };
  }
  const { videos, usage } = parser.videos(body);
  return { value: { videos }, usage };
}

function parserOf({ model }: Target) {
  const { parser, category } = model;
  if (!parser || (category !== 'text-to-image' && category !== 'text-to-video')) {
    throw new CallFailure('refused', `${model.id} makes neither pictures nor videos`);
  }
  return parser;
}
