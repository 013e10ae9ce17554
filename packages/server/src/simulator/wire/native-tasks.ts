import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';

/** DashScope's own (not OpenAI-compatible) way of making images and videos: a task that is asked after. */

export const NativeRequest = z.looseObject({
  model: z.string().min(1),
  input: z.looseObject({
    prompt: z.string().nullish(),
    messages: z.array(z.looseObject({ content: z.unknown() })).nullish(),
  }),
  parameters: z
    .looseObject({
      n: z.int().min(1).max(8).nullish(),
      size: z.string().nullish(),
      duration: z.number().positive().max(60).nullish(),
      resolution: z.string().nullish(),
    })
    .nullish(),
});
export type NativeRequest = z.infer<typeof NativeRequest>;

interface Task {
  id: string;
  video: boolean;
  request: NativeRequest;
  polls: number;
}

export interface NativeTasks {
  start(request: NativeRequest, path: string): unknown;
  /** Undefined for a task that is not known. The first question finds it running, the second done. */
  state(id: string, baseUrl: string): unknown;
}

const KEPT_TASKS = 1000;

export function nativeTasks(): NativeTasks {
  const tasks = new Map<string, Task>();
  return {
    start(request, path) {
      const task = { id: randomUUID(), video: path.includes('video'), request, polls: 0 };
      tasks.set(task.id, task);
      for (const oldest of tasks.keys()) {
        if (tasks.size <= KEPT_TASKS) break;
        tasks.delete(oldest);
      }
      return { output: { task_id: task.id, task_status: 'PENDING' }, request_id: randomUUID() };
    },
    state(id, baseUrl) {
      const task = tasks.get(id);
      if (!task) return undefined;
      task.polls += 1;
      if (task.polls === 1) return { request_id: randomUUID(), output: { task_id: id, task_status: 'RUNNING' } };
      return { request_id: randomUUID(), ...(task.video ? videoResult(task, baseUrl) : imageResult(task, baseUrl)) };
    },
  };
}

function imageResult({ id, request }: Task, baseUrl: string) {
  const urls = imageUrls(request, baseUrl);
  return {
    output: {
      task_id: id,
      task_status: 'SUCCEEDED',
      results: urls.map((url) => ({ url, orig_prompt: promptOf(request) })),
      task_metrics: { TOTAL: urls.length, SUCCEEDED: urls.length, FAILED: 0 },
    },
    usage: { image_count: urls.length },
  };
}

function videoResult({ id, request }: Task, baseUrl: string) {
  const resolution = Number(/\d+/.exec(request.parameters?.resolution ?? '')?.[0] ?? 720);
  const duration = request.parameters?.duration ?? 5;
  return {
    output: {
      task_id: id,
      task_status: 'SUCCEEDED',
      video_url: `${baseUrl}/media/${mediaName(request, 0)}.mp4`,
      orig_prompt: promptOf(request),
    },
    usage: { video_count: 1, duration, output_video_duration: duration, SR: resolution },
  };
}

/** The synchronous way of the newer image models. */
export function imageAtOnce(request: NativeRequest, baseUrl: string) {
  const content = imageUrls(request, baseUrl).map((image) => ({ image }));
  return {
    output: { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content } }] },
    usage: { image_count: content.length, width: 64, height: 64 },
    request_id: randomUUID(),
  };
}

function imageUrls(request: NativeRequest, baseUrl: string): string[] {
  return Array.from(
    { length: request.parameters?.n ?? 1 },
    (_, at) => `${baseUrl}/media/${mediaName(request, at)}.png`,
  );
}

/** The same wish always gets the same picture. */
function mediaName(request: NativeRequest, at: number): string {
  return createHash('sha256')
    .update(`${request.model}\n${promptOf(request)}\n${at}`)
    .digest('hex')
    .slice(0, 24);
}

function promptOf({ input }: NativeRequest): string {
  return input.prompt ?? JSON.stringify(input.messages ?? '');
}
